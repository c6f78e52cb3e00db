package io.helenus.storage.engine;

/**
 * A shard's block cache.
 *
 * @param capacityBytes what it may take
 * @param sizeBytes what it takes
 * @param entries how many blocks it holds
 * @param hits how often a block was there, since the start
 * @param requests how often a block was asked for, since the start
 */
public record CacheStatistics(
    long capacityBytes, long sizeBytes, int entries, long hits, long requests) {
  /** Of two shards the whole. */
  public CacheStatistics plus(CacheStatistics other) {
    return new CacheStatistics(
        capacityBytes + other.capacityBytes,
        sizeBytes + other.sizeBytes,
        entries + other.entries,
        hits + other.hits,
        requests + other.requests);
  }
}
