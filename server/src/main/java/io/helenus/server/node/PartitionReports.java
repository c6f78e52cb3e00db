package io.helenus.server.node;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.modification.MutationLimit;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.PartitionLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs partitions that violate the guardrails on their size or tombstones when a flush or
 * compaction writes them: each once, and again when it has doubled or reaches the second threshold,
 * although compactions write it many times. Any thread.
 */
final class PartitionReports implements PartitionLimits.Listener {
  private static final Logger LOGGER = LoggerFactory.getLogger(PartitionReports.class);

  /** So many partitions are remembered; those beyond that may be logged again. */
  private static final int REMEMBERED = 4096;

  /** A violation, with the hash of the partition's key. */
  private record Violation(Limit limit, int tableId, long key) {}

  private static final class Remembered extends LinkedHashMap<Violation, Long> {
    private static final long serialVersionUID = 1;

    Remembered() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Violation, Long> eldest) {
      return size() > REMEMBERED;
    }
  }

  /** The values that were logged last, the latest used ones. */
  private final Remembered logged = new Remembered();

  private final Guardrails guardrails;
  private final Supplier<Schema> schema;
  private final Consumer<String> warnings;
  private final Consumer<String> failures;

  PartitionReports(Guardrails guardrails, Supplier<Schema> schema) {
    this(guardrails, schema, LOGGER::warn, LOGGER::error);
  }

  PartitionReports(
      Guardrails guardrails,
      Supplier<Schema> schema,
      Consumer<String> warnings,
      Consumer<String> failures) {
    this.guardrails = guardrails;
    this.schema = schema;
    this.warnings = warnings;
    this.failures = failures;
  }

  /** The limits above which partitions are reported. */
  PartitionLimits limits() {
    return guardrails.hasAny(Limit.PARTITION_SIZE, Limit.PARTITION_TOMBSTONES)
        ? new PartitionLimits(
            guardrails.lowest(Limit.PARTITION_SIZE),
            guardrails.lowest(Limit.PARTITION_TOMBSTONES),
            this)
        : PartitionLimits.NONE;
  }

  @Override
  public void onExceeded(int tableId, byte[] prefix, long bytes, long tombstones) {
    TableSchema table = schema.get().table(tableId);
    if (table != null && !SchemaNames.isSystem(table.keyspace())) {
      ByteWriter key = new ByteWriter(prefix.length).putBytes(prefix);
      long hash = Hashing.xxh3(key.segment(), 0, prefix.length);
      boolean large = isNews(new Violation(Limit.PARTITION_SIZE, tableId, hash), bytes);
      boolean deleted =
          isNews(new Violation(Limit.PARTITION_TOMBSTONES, tableId, hash), tombstones);
      if (large || deleted) {
        String partition = table + ":" + MutationLimit.partitionText(table, prefix);
        if (large) {
          check(Limit.PARTITION_SIZE, bytes, partition);
        }
        if (deleted) {
          check(Limit.PARTITION_TOMBSTONES, tombstones, partition);
        }
      }
    }
  }

  /** Whether a value is to be logged, which is then remembered. */
  private boolean isNews(Violation violation, long value) {
    if (value <= guardrails.lowest(violation.limit)) {
      return false;
    }
    long fail = guardrails.failsAbove(violation.limit);
    synchronized (logged) {
      Long last = logged.get(violation);
      if (last != null && value / 2 < last && (value <= fail || last > fail)) {
        return false;
      }
      logged.put(violation, value);
      return true;
    }
  }

  private void check(Limit limit, long value, String partition) {
    try {
      guardrails.check(limit, value, partition, warnings);
    } catch (CqlException e) {
      failures.accept(e.error().message());
    }
  }
}
