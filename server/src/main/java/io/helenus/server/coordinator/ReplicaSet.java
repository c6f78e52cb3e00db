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

  @Override
  public String toString() {
    return List.of(members).toString();
  }
}
