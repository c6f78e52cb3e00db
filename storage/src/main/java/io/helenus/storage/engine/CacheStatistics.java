package io.helenus.storage.engine;

/**
 * Statistics of a shard's block cache.
 *
 * @param capacityBytes its budget
 * @param sizeBytes its current size
 * @param entries number of cached blocks
 * @param hits lookups that found their block, since start-up
 * @param requests all lookups, since start-up
 */
public record CacheStatistics(
    long capacityBytes, long sizeBytes, int entries, long hits, long requests) {
  /** The sum of the statistics of two shards. */
  public CacheStatistics plus(CacheStatistics other) {
    return new CacheStatistics(
        capacityBytes + other.capacityBytes,
        sizeBytes + other.sizeBytes,
        entries + other.entries,
        hits + other.hits,
        requests + other.requests);
  }
}
