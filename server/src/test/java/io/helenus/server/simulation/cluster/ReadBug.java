package io.helenus.server.simulation.cluster;

/**
 * A planted bug in reads of several replicas, which {@link PlantedReads} plants, with the first
 * seed of {@code DivergedReadsTest} that finds it. Any change of what that test draws moves the
 * seeds.
 */
enum ReadBug {
  /** Digests leave out deletions of partitions and ranges. */
  DIGEST_WITHOUT_DELETIONS(1),

  /** A replica tests rows before it sends them. */
  FILTER_BEFORE_MERGE(1),

  /** What a read has found to be missing counts as written when it is sent. */
  REPAIR_NOT_AWAITED(1),

  /** Deletions are purged although another replica may not have them. */
  PURGE(4),

  /** A read ends where the replies end. */
  NO_SHORT_READ_PROTECTION(1),

  /** A replica sends only rows that its own index finds. */
  INDEX_OF_ROWS(6);

  final int seed;

  ReadBug(int seed) {
    this.seed = seed;
  }
}
