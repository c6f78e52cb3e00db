package io.helenus.storage.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Size-tiered compaction: files of about one size are merged when there are enough of them, so that
 * a byte is rewritten once per tier. Pure; any thread.
 *
 * <ol>
 *   <li>Files go, by ascending size, into buckets: a file joins the bucket whose average its size
 *       is near to; all small files share one.
 *   <li>Of the buckets with enough files, the one with most files is taken; of several the one with
 *       the smaller files.
 *   <li>At most the greatest number of files is merged, the smallest first.
 * </ol>
 */
public final class SizeTieredPolicy {
  private static final long SMALL_FILE_BYTES = 4L << 20;
  private static final double BUCKET_LOW = 0.5;
  private static final double BUCKET_HIGH = 1.5;

  /** A file that may be merged. */
  public record Candidate(long number, long sizeBytes) {}

  private final int minThreshold;
  private final int maxThreshold;

  /** Merges at least and at most so many files; a minimum of 0 switches it off. */
  public SizeTieredPolicy(int minThreshold, int maxThreshold) {
    this.minThreshold = minThreshold;
    this.maxThreshold = Math.max(minThreshold, maxThreshold);
  }

  /** The numbers of the files to merge now; empty if none. */
  public List<Long> pick(List<Candidate> candidates) {
    if (minThreshold <= 0 || candidates.size() < minThreshold) {
      return List.of();
    }
    Bucket best = null;
    for (Bucket bucket : buckets(candidates)) {
      boolean enough = bucket.files.size() >= Math.max(2, minThreshold);
      if (enough && (best == null || bucket.files.size() > best.files.size())) {
        best = bucket;
      }
    }
    if (best == null) {
      return List.of();
    }
    return best.files.stream().limit(maxThreshold).map(Candidate::number).toList();
  }

  private static List<Bucket> buckets(List<Candidate> candidates) {
    List<Candidate> sorted = new ArrayList<>(candidates);
    sorted.sort(
        Comparator.comparingLong(Candidate::sizeBytes).thenComparingLong(Candidate::number));
    List<Bucket> buckets = new ArrayList<>();
    for (Candidate candidate : sorted) {
      Bucket last = buckets.isEmpty() ? null : buckets.getLast();
      if (last == null || !last.takes(candidate.sizeBytes)) {
        last = new Bucket();
        buckets.add(last);
      }
      last.files.add(candidate);
      last.totalBytes += candidate.sizeBytes;
    }
    return buckets;
  }

  private static final class Bucket {
    private final List<Candidate> files = new ArrayList<>();
    private long totalBytes;

    boolean takes(long sizeBytes) {
      double average = (double) totalBytes / files.size();
      return sizeBytes < SMALL_FILE_BYTES
          || sizeBytes >= average * BUCKET_LOW && sizeBytes <= average * BUCKET_HIGH;
    }
  }
}
