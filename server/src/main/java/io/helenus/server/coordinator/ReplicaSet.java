package io.helenus.server.coordinator;

import io.helenus.server.cluster.Member;
import java.util.List;

/**
 * The replicas of a range of tokens as a coordinator sees them: itself first if it is one, then the
 * others in the order of the ring. An operation numbers its replicas by their places here.
 * Immutable but for who is up; any thread; allocates nothing.
 */
public final class ReplicaSet {
  /** More replicas than this are not supported: a set of them is an int. */
  public static final int LIMIT = ReplyCount.REPLICAS_LIMIT;

  private final Member[] members;
  private final boolean localOnly;
  private final int near;

  /**
   * Creates a set.
   *
   * @param members this node first, if it is a replica; at most {@link #LIMIT}
   * @param near those in the data centre of this node, a bit for each
   */
  public ReplicaSet(List<Member> members, int near) {
    this.near = near;
    if (members.size() > LIMIT) {
      throw new IllegalArgumentException(members.size() + " replicas");
    }
    this.members = members.toArray(Member[]::new);
    this.localOnly = this.members.length == 1 && this.members[0].isLocal();
  }

  /** The number of replicas. */
  public int size() {
    return members.length;
  }

  /** The replica with a number. */
  public Member member(int replica) {
    return members[replica];
  }

  /** Whether this node is a replica; its number is 0 then. */
  public boolean hasLocal() {
    return members.length > 0 && members[0].isLocal();
  }

  /** Whether this node is the only replica. */
  public boolean isLocalOnly() {
    return localOnly;
  }

  /** The replicas in the data centre of this node, a bit for each number. */
  public int near() {
    return near;
  }

  /** The replicas that are up, a bit for each number. */
  public int live() {
    int live = 0;
    for (int i = 0; i < members.length; i++) {
      live |= members[i].isUp() ? 1 << i : 0;
    }
    return live;
  }

  /**
   * The replica that is asked next to the first for what is there of a token: by the token, so that
   * all are asked as often, and each partition is in the caches of the same.
   */
  int turn(long token) {
    return (int) Long.remainderUnsigned(token, members.length);
  }

  /** The replica that is asked for data: this node if it is one, since its data need not travel. */
  int first(int turn) {
    return hasLocal() ? 0 : turn;
  }

  /** The replica that a read of a token asks for data, if all go well; a bit, or 0 for none. */
  public int askedForData(long token) {
    return members.length == 0 ? 0 : ReplicatedReadOperation.next(live(), first(turn(token)));
  }

  /**
   * The replicas that a read of a token asks, a bit for each number; fewer than needed if fewer are
   * up.
   */
  public int asked(int needed, long token) {
    int asked = askedForData(token);
    for (int i = 1; i < needed; i++) {
      asked |= ReplicatedReadOperation.next(live() & ~asked, turn(token));
    }
    return asked;
  }

  @Override
  public String toString() {
    return List.of(members).toString();
  }
}
