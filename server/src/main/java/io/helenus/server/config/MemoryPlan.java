package io.helenus.server.config;

import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import java.util.Map;

/**
 * How the {@code memory} of the process is divided, in bytes. The heap and what the JVM needs
 * besides it come first; of the native memory that is left, every use has a share, and the block
 * cache takes what the others leave. The launcher sets the limit of the heap by the same rule as
 * {@link #heapBytes(long)}. Immutable.
 *
 * @param totalBytes what the process may take
 * @param heapBytes the limit of the heap
 * @param jvmBytes for code, classes, threads and the collector
 * @param memtableBytes the size of all memtables above which they are flushed
 * @param blockCacheBytes cached blocks
 * @param filterBytes filters and indexes of SSTables
 * @param compactionBytes blocks of flushes and compactions
 * @param requestBytes requests in flight
 * @param answerBytes results until the clients have received them
 * @param preparedStatementBytes prepared statements, on the heap
 */
public record MemoryPlan(
    long totalBytes,
    long heapBytes,
    long jvmBytes,
    long memtableBytes,
    long blockCacheBytes,
    long filterBytes,
    long compactionBytes,
    long requestBytes,
    long answerBytes,
    long preparedStatementBytes) {
  /** The value of the key that leaves the size to the launcher. */
  static final String AUTO = "auto";

  private static final long MEBIBYTE = 1 << 20;

  /** The size if neither the configuration nor the launcher tells one. */
  static final long DEFAULT_BYTES = 1024 * MEBIBYTE;

  private static final long SMALLEST_HEAP = 64 * MEBIBYTE;
  private static final long LARGEST_HEAP = 1024 * MEBIBYTE;
  private static final long JVM_BYTES = 72 * MEBIBYTE;
  private static final long LARGEST_MEMTABLES = 4096 * MEBIBYTE;
  private static final long LARGEST_PREPARED = 16 * MEBIBYTE;

  /** Memtables that are being flushed stay in memory while others fill up. */
  private static final int MEMTABLE_COPIES = 2;

  /** The least that a node may be given. */
  public static long leastBytes() {
    return Quantity.sizeBytes(Setting.MEMORY.minimum());
  }

  /** The limit of the heap for a size of the process: 3/16 of it, from 64 MiB to 1 GiB. */
  static long heapBytes(long totalBytes) {
    return Math.clamp(totalBytes / 16 * 3, SMALLEST_HEAP, LARGEST_HEAP);
  }

  /**
   * Divides the memory of a process.
   *
   * @param place the source of the key memory, for error messages
   * @param automatic the size that auto stands for
   * @param limit the limit of the heap; 0 if it is not known
   */
  static MemoryPlan of(Settings settings, String place, long automatic, long limit)
      throws ConfigException {
    String wanted = settings.text(Setting.MEMORY);
    long total = wanted.equals(AUTO) ? automatic : Quantity.sizeBytes(wanted);
    MemoryPlan plan = divide(settings, total, limit > 0 ? limit : heapBytes(total));
    if (plan.fits()) {
      return plan;
    }
    throw new ConfigException(
        place
            + ": memory of "
            + mebibytes(total)
            + " cannot hold the heap ("
            + mebibytes(plan.heapBytes)
            + "), the JVM ("
            + mebibytes(plan.jvmBytes)
            + "), twice memtable_offheap_space ("
            + mebibytes(plan.memtableBytes)
            + "), block_cache_size ("
            + mebibytes(plan.blockCacheBytes)
            + "), native_transport_max_request_data_in_flight ("
            + mebibytes(plan.requestBytes)
            + "), and "
            + mebibytes(plan.answerBytes + plan.compactionBytes + plan.filterBytes)
            + " for answers, compactions and filters: raise memory to "
            + mebibytes(enough(settings, total, limit))
            + " or lower the other keys");
  }

  private static MemoryPlan divide(Settings settings, long total, long heap) {
    long jvm = JVM_BYTES + total / 64;
    long left = Math.max(0, total - heap - jvm);
    long memtables =
        given(
            settings,
            Setting.MEMTABLE_OFFHEAP_SPACE,
            Math.clamp(left / 8, 12 * MEBIBYTE, LARGEST_MEMTABLES));
    long requests =
        given(
            settings,
            Setting.NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT,
            Math.clamp(left / 12, 18 * MEBIBYTE, 1024 * MEBIBYTE));
    long answers = Math.clamp(left / 8, 18 * MEBIBYTE, 4096 * MEBIBYTE);
    long compaction = Math.clamp(left / 16, 12 * MEBIBYTE, 1024 * MEBIBYTE);
    long filters = Math.max(left / 12, 4 * MEBIBYTE);
    long others = MEMTABLE_COPIES * memtables + requests + answers + compaction + filters;
    return new MemoryPlan(
        total,
        heap,
        jvm,
        memtables,
        given(settings, Setting.BLOCK_CACHE_SIZE, Math.max(left - others, 4 * MEBIBYTE)),
        filters,
        compaction,
        requests,
        answers,
        given(
            settings,
            Setting.PREPARED_STATEMENTS_CACHE_SIZE,
            Math.min(heap / 8, LARGEST_PREPARED)));
  }

  private boolean fits() {
    long outside =
        MEMTABLE_COPIES * memtableBytes
            + blockCacheBytes
            + filterBytes
            + compactionBytes
            + requestBytes
            + answerBytes;
    return heapBytes + jvmBytes + outside <= totalBytes;
  }

  /** The least memory, in mebibytes, with which a start succeeds: every share grows with it. */
  private static long enough(Settings settings, long total, long limit) {
    long tooLittle = total / MEBIBYTE;
    long enough = tooLittle + 1;
    while (!fits(settings, enough * MEBIBYTE, limit)) {
      tooLittle = enough;
      enough *= 2;
    }
    while (enough - tooLittle > 1) {
      long between = (tooLittle + enough) / 2;
      if (fits(settings, between * MEBIBYTE, limit)) {
        enough = between;
      } else {
        tooLittle = between;
      }
    }
    return enough * MEBIBYTE;
  }

  private static boolean fits(Settings settings, long total, long limit) {
    return divide(settings, total, Math.max(limit, heapBytes(total))).fits();
  }

  private static long given(Settings settings, Setting key, long otherwise) {
    String text = settings.text(key);
    return text.isEmpty() ? otherwise : Quantity.sizeBytes(text);
  }

  private static String mebibytes(long bytes) {
    return (bytes + MEBIBYTE - 1) / MEBIBYTE + "MiB";
  }

  /** What counting requests by partition may take of the heap, on all shards. */
  public long hotPartitionBytes() {
    return heapBytes / 64;
  }

  /** What one request may take of the heap. */
  public HeapLimits requestLimits() {
    return HeapLimits.of(heapBytes);
  }

  /** The native memory with these limits. */
  public NodeMemory allocate(PageDiscard pages) {
    return new NodeMemory(
        Map.of(
            Use.MEMTABLES, MEMTABLE_COPIES * memtableBytes,
            Use.BLOCK_CACHE, blockCacheBytes,
            Use.FILTERS_AND_INDEXES, filterBytes,
            Use.COMPACTION, compactionBytes,
            Use.REQUESTS, requestBytes,
            Use.ANSWERS, answerBytes),
        pages,
        Math.min(answerBytes / 2, 32 * MEBIBYTE));
  }
}
