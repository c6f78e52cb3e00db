package io.helenus.storage.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Size-tiered compaction: files of similar size are merged when there are enough of them, so that a
 * byte is rewritten once per tier. Pure; any thread.
 *
 * <ol>
 *   <li>Files are put into buckets by ascending size: a file joins the bucket whose average is
 *       close to its size; all small files share one bucket.
 *   <li>Of the buckets with enough files, the one with the most files is chosen; ties go to the
 *       smaller files.
 *   <li>At most the maximum number of files is merged, smallest first.
 * </ol>
 */
public final class SizeTieredPolicy {
  private static final long SMALL_FILE_BYTES = 4L << 20;
  private static final double BUCKET_LOW = 0.5;
  private static final double BUCKET_HIGH = 1.5;

  /** A file that may be compacted. */
  public record Candidate(long number, long sizeBytes) {}

  private final int minThreshold;
  private final int maxThreshold;

  /** Merges between a minimum and a maximum number of files; a minimum of 0 disables compaction. */
  public SizeTieredPolicy(int minThreshold, int maxThreshold) {
    this.minThreshold = minThreshold;
    this.maxThreshold = Math.max(minThreshold, maxThreshold);
  }

  /** The numbers of the files to merge now; empty for none. */
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
