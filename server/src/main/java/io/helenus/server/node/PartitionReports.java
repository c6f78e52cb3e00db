package io.helenus.server.node;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.modification.MutationLimit;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.PartitionLimits;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs partitions that violate the guardrails on their size or tombstones when a flush or
 * compaction writes them. Any thread.
 */
final class PartitionReports implements PartitionLimits.Listener {
  private static final Logger LOGGER = LoggerFactory.getLogger(PartitionReports.class);

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
      String partition = table + ":" + MutationLimit.partitionText(table, prefix);
      check(Limit.PARTITION_SIZE, bytes, partition);
      check(Limit.PARTITION_TOMBSTONES, tombstones, partition);
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
