package io.helenus.storage.engine;

/**
 * Maps tokens to shards, which are contiguous token ranges: the shard is the high 64 bits of the
 * product of the token, shifted to be unsigned, and the number of shards. ScyllaDB's drivers use
 * the same mapping. Immutable; any thread.
 *
 * @param count the number of shards
 */
public record ShardMap(int count) {
  /** Validates the count. */
  public ShardMap {
    if (count < 1 || count > 1024) {
      throw new IllegalArgumentException("shards must be 1 to 1024, not " + count);
    }
  }

  /** The shard of a token. */
  public int shardOf(long token) {
    return (int) Math.unsignedMultiplyHigh(token ^ Long.MIN_VALUE, (long) count);
  }

  /** The smallest token of a shard. */
  public long firstToken(int shard) {
    if (shard == 0) {
      return Long.MIN_VALUE;
    }
    // the smallest t with floor(t * count / 2^64) == shard is ceil(shard * 2^64 / count)
    long quotient = Long.divideUnsigned(-1L, count);
    long remainder = Long.remainderUnsigned(-1L, count) + 1;
    long base = quotient * shard + (remainder * shard + count - 1) / count;
    return base ^ Long.MIN_VALUE;
  }
}
