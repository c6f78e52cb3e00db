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
 *   <li>If there is no such bucket, the smallest of the very small files are merged, from two on,
 *       as many as are each at most twice as large as the smaller ones together: reads look at
 *       fewer files then, and a byte is rewritten about three times until its file is no longer so
 *       small. Not if the minimum is greater than the default one.
 * </ol>
 */
public final class SizeTieredPolicy {
  static final long SMALL_FILE_BYTES = 4L << 20;
  private static final int DEFAULT_MIN_THRESHOLD = 4;
  private static final int LARGEST_RATIO = 2;
  private static final double BUCKET_LOW = 0.5;
  private static final double BUCKET_HIGH = 1.5;

  /**
   * A file that may be compacted.
   *
   * @param isVerySmall whether it may be merged before there are as many as the minimum
   */
  public record Candidate(long number, long sizeBytes, boolean isVerySmall) {}

  private final int minThreshold;
  private final int maxThreshold;

  /** Merges between a minimum and a maximum number of files; a minimum of 0 disables compaction. */
  public SizeTieredPolicy(int minThreshold, int maxThreshold) {
    this.minThreshold = minThreshold;
    this.maxThreshold = Math.max(minThreshold, maxThreshold);
  }

  /** The numbers of the files to merge now; empty for none. */
  public List<Long> pick(List<Candidate> candidates) {
    if (minThreshold <= 0) {
      return List.of();
    }
    List<Candidate> sorted = new ArrayList<>(candidates);
    sorted.sort(
        Comparator.comparingLong(Candidate::sizeBytes).thenComparingLong(Candidate::number));
    Bucket best = null;
    for (Bucket bucket : buckets(sorted)) {
      boolean enough = bucket.files.size() >= Math.max(2, minThreshold);
      if (enough && (best == null || bucket.files.size() > best.files.size())) {
        best = bucket;
      }
    }
    boolean isRaised = minThreshold > DEFAULT_MIN_THRESHOLD;
    List<Candidate> picked = best != null ? best.files : isRaised ? List.of() : fewSmall(sorted);
    return picked.stream().limit(maxThreshold).map(Candidate::number).toList();
  }

  private static List<Candidate> fewSmall(List<Candidate> sorted) {
    List<Candidate> few = new ArrayList<>();
    long together = 0;
    for (Candidate candidate : sorted) {
      long size = candidate.sizeBytes();
      if (!few.isEmpty() && size > LARGEST_RATIO * together) {
        break;
      }
      if (candidate.isVerySmall()) {
        few.add(candidate);
        together += size;
      }
    }
    return few.size() < 2 ? List.of() : few;
  }

  private static List<Bucket> buckets(List<Candidate> sorted) {
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
