package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.config.Setting;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.query.modification.MutationLimit;
import io.helenus.server.replica.PartitionSampler.Kind;
import io.helenus.server.replica.PartitionSampler.Options;
import io.helenus.server.replica.PartitionSampler.Sample;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * {@code nodetool toppartitions}: one sampling at a time, or without sampling what {@code
 * system_views.hot_partitions} lists. Any thread.
 */
final class TopPartitions {
  private static final int DEFAULT_MILLIS = 10_000;
  private static final int DEFAULT_CAPACITY = 256;
  private static final int CAPACITY_LIMIT = 4096;
  private static final int DEFAULT_TOP = 10;
  private static final Set<Kind> FREQUENCIES =
      Collections.unmodifiableSet(EnumSet.of(Kind.READS, Kind.WRITES));

  private final AdminNode node;
  private final ReentrantLock sampling = new ReentrantLock();

  TopPartitions(AdminNode node) {
    this.node = node;
  }

  String run(Invocation invocation) throws CommandException {
    String usage = "toppartitions requires keyspace, column family name, and duration";
    invocation.atMost(3, usage);
    int arguments = invocation.arguments().size();
    String millis = arguments % 2 == 1 ? invocation.required(arguments - 1, usage) : null;
    int capacity = number(invocation.option("capacity"), DEFAULT_CAPACITY);
    int top = number(invocation.option("top"), DEFAULT_TOP);
    if (top <= 0) {
      throw CommandException.usage("TopK count (-k) option must have positive value");
    }
    if (top >= capacity) {
      throw CommandException.usage(
          "TopK count (-k) option must be smaller then the summary capacity (-s)");
    }
    if (capacity > CAPACITY_LIMIT) {
      throw CommandException.usage("the capacity (-s) must not exceed " + CAPACITY_LIMIT);
    }
    int duration = number(millis, DEFAULT_MILLIS);
    if (duration <= 0) {
      throw CommandException.usage("the duration must have a positive value");
    }
    boolean now = invocation.has("now");
    String samplers = invocation.option("samplers");
    Set<Kind> kinds = now && samplers == null ? FREQUENCIES : kinds(samplers);
    if (now && (millis != null || !FREQUENCIES.containsAll(kinds))) {
      throw CommandException.usage("--now takes no duration and no samplers but reads, writes");
    }
    int tableId = arguments < 2 ? 0 : tableId(Targets.table(node, invocation));
    if (now) {
      return printNow(kinds, top, tableId);
    }
    if (!sampling.tryLock()) {
      throw CommandException.failed("partitions are being sampled already; try again later");
    }
    try {
      return print(kinds, top, node.sample(new Options(tableId, kinds, capacity, top), duration));
    } finally {
      sampling.unlock();
    }
  }

  private String printNow(Set<Kind> kinds, int top, int tableId) throws CommandException {
    if ("false".equals(node.facts().settings().get(Setting.HOT_PARTITIONS_ENABLED.name()))) {
      throw CommandException.failed(Setting.HOT_PARTITIONS_ENABLED.name() + " is false");
    }
    HotPartitionList hot = node.statistics(null, new int[0]).hotPartitions();
    HotPartitionText text = new HotPartitionText(node.state().schema(), hot, tableId, top);
    StringBuilder out = new StringBuilder();
    for (Kind kind : kinds) {
      out.append(title(kind)).append(":\n");
      if (kind == Kind.READS) {
        text.reads(out);
      } else {
        text.writes(out);
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static int number(@Nullable String text, int otherwise) throws CommandException {
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    }
  }

  private static Set<Kind> kinds(@Nullable String list) throws CommandException {
    if (list == null || list.equals("all")) {
      return EnumSet.allOf(Kind.class);
    }
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (String name : list.split(",", -1)) {
      Kind named =
          Arrays.stream(Kind.values())
              .filter(kind -> kind.name().equalsIgnoreCase(name.strip()))
              .findFirst()
              .orElse(null);
      if (named == null) {
        throw CommandException.usage(
            "'" + name + "' sampler is not available from: " + Arrays.toString(Kind.values()));
      }
      kinds.add(named);
    }
    return kinds;
  }

  private static int tableId(TableSchema table) throws CommandException {
    if (!Targets.isStored(table)) {
      throw CommandException.failed(
          table + " is computed when it is read, so it has no partitions to sample");
    }
    return Targets.storageId(table);
  }

  private String print(Set<Kind> kinds, int top, Map<Kind, List<Sample>> sampled) {
    StringBuilder out = new StringBuilder();
    for (Kind kind : kinds) {
      out.append(title(kind)).append(":\n");
      TextTable table = new TextTable(" ");
      if (kind.isFrequency()) {
        table.row("   Table", "Partition", "Count", "+/-");
      } else {
        table.row("   Table", "Partition", unit(kind));
      }
      int rows = 0;
      for (Sample sample :
          sampled.getOrDefault(kind, List.of()).stream().sorted(Sample.GREATEST_FIRST).toList()) {
        TableSchema of = node.state().schema().table(sample.tableId());
        // a table dropped meanwhile, or one without tokens: the batch log
        if (of == null || of.partitioner() == Partitioner.LOCAL || rows == top) {
          continue;
        }
        rows++;
        String name = "   " + of.keyspace() + "." + of.name();
        String partition = MutationLimit.partitionText(of, sample.prefix());
        String count = Long.toString(sample.count());
        if (kind.isFrequency()) {
          table.row(name, partition, count, Long.toString(sample.error()));
        } else {
          table.row(name, partition, count);
        }
      }
      if (rows == 0) {
        out.append("   Nothing recorded during sampling period...\n");
      } else {
        table.print(out);
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static String title(Kind kind) {
    return switch (kind) {
      case READS -> "Frequency of reads by partition";
      case WRITES -> "Frequency of writes by partition";
      case READ_ROW_COUNT -> "Partitions read with the most rows";
      case READ_TOMBSTONE_COUNT -> "Partitions read with the most tombstones";
      case WRITE_SIZE -> "Max mutation size by partition";
    };
  }

  private static String unit(Kind kind) {
    return switch (kind) {
      case READ_ROW_COUNT -> "Rows";
      case READ_TOMBSTONE_COUNT -> "Tombstones";
      case WRITE_SIZE -> "Bytes";
      case READS, WRITES -> "Count";
    };
  }
}
