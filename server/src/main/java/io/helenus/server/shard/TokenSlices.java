package io.helenus.server.shard;

import io.helenus.storage.engine.ShardMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The slices into which a node's shards divide the tokens, for those who need to know what is
 * stored together but not by which shard. Immutable; any thread.
 */
public final class TokenSlices {
  private final ShardMap map;
  private final List<Slice> slices;

  /**
   * The tokens that one shard serves.
   *
   * @param first the smallest of them
   * @param last the greatest
   */
  public record Slice(long first, long last) {
    /** Whether a token is one of them. */
    public boolean contains(long token) {
      return first <= token && token <= last;
    }
  }

  /** The slices of a node with so many shards. */
  public TokenSlices(ShardMap map) {
    this.map = map;
    List<Slice> made = new ArrayList<>(map.count());
    for (int i = 0; i < map.count(); i++) {
      long last = i == map.count() - 1 ? Long.MAX_VALUE : map.firstToken(i + 1) - 1;
      made.add(new Slice(map.firstToken(i), last));
    }
    slices = List.copyOf(made);
  }

  /** The slice with this token. */
  public Slice of(long token) {
    return slices.get(map.shardOf(token));
  }

  /** The slice that a shard serves. */
  public Slice of(Shard shard) {
    return slices.get(shard.index());
  }
}
