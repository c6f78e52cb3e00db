package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which mutations of a batch log entry may still be applied.
 *
 * <ul>
 *   <li>None if the entry is older than the smallest gc_grace_seconds of its tables: a deletion
 *       after the batch may have been purged since, and the deleted data would be resurrected.
 *   <li>None in a table that was dropped, or truncated after the entry was written.
 *   <li>All others, byte for byte, with their original timestamps and expiry times.
 * </ul>
 *
 * Pure functions.
 */
final class ReplayedParts {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private ReplayedParts() {}

  /** Whether the entry is too old to be applied. */
  static boolean isTooOld(BatchEntry entry, ReplayTables tables, long nowMicros) {
    long grace = Long.MAX_VALUE;
    MutationView view = new MutationView();
    for (ByteWriter mutation : wrapped(entry)) {
      view.wrap(mutation.segment(), 0, mutation.size());
      while (view.nextTable()) {
        int seconds = tables.gcGraceSeconds(view.tableId());
        grace = seconds == ReplayTables.DROPPED ? grace : Math.min(grace, seconds);
      }
    }
    return grace != Long.MAX_VALUE
        && entry.writtenMicros() / MICROS_PER_SECOND + grace <= nowMicros / MICROS_PER_SECOND;
  }

  /** The mutations to apply. */
  static List<ByteWriter> of(BatchEntry entry, ReplayTables tables) {
    List<ByteWriter> parts = new ArrayList<>();
    MutationView view = new MutationView();
    for (ByteWriter mutation : wrapped(entry)) {
      view.wrap(mutation.segment(), 0, mutation.size());
      int all = 0;
      int applicable = 0;
      while (view.nextTable()) {
        all++;
        applicable += isApplicable(view.tableId(), entry, tables) ? 1 : 0;
      }
      if (applicable == all) {
        parts.add(mutation);
      } else if (applicable > 0) {
        parts.add(applicablePart(view.rewind(), entry, tables));
      }
    }
    return parts;
  }

  private static List<ByteWriter> wrapped(BatchEntry entry) {
    List<ByteWriter> mutations = new ArrayList<>();
    for (byte[] bytes : entry.mutations()) {
      mutations.add(new ByteWriter(Math.max(1, bytes.length)).putBytes(bytes));
    }
    return mutations;
  }

  private static boolean isApplicable(int tableId, BatchEntry entry, ReplayTables tables) {
    return tables.gcGraceSeconds(tableId) != ReplayTables.DROPPED
        && entry.writtenMicros() > tables.truncatedAtMicros(tableId);
  }

  private static ByteWriter applicablePart(
      MutationView view, BatchEntry entry, ReplayTables tables) {
    ByteWriter part = new ByteWriter(1024);
    MutationWriter writer = new MutationWriter(part);
    writer.begin(
        view.token(), view.epoch(), view.segment(), view.prefixOffset(), view.prefixLength());
    while (view.nextTable()) {
      if (isApplicable(view.tableId(), entry, tables)) {
        writer.beginTable(view.tableId());
        writer.entries(view.segment(), view.entriesOffset(), view.entriesLength());
        writer.endTable();
      }
    }
    writer.finish();
    return part;
  }
}
