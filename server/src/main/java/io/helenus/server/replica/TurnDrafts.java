package io.helenus.server.replica;

import io.helenus.server.view.ViewedTables;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The drafts of one turn of a partition, one for each table. Shard thread only; reusable. */
final class TurnDrafts {
  private final PartitionQueues queues;
  private final MutationView view = new MutationView();
  private final List<Table> tables = new ArrayList<>(1);
  private boolean failed;

  private record Table(int id, Draft draft) {}

  TurnDrafts(PartitionQueues queues) {
    this.queues = queues;
  }

  /**
   * Adds a mutation to the drafts of its tables.
   *
   * @param all whether those of all tables are needed; otherwise only of those that have views
   */
  void add(MemorySegment mutation, int length, ViewedTables viewed, boolean all) {
    if (!all && viewed.isEmpty()) {
      return;
    }
    // A draft with a part of a mutation would be read by the next write of the turn.
    failed = true;
    view.wrap(mutation, 0, length);
    while (view.nextTable()) {
      if (all || viewed.of(view.tableId()) != null) {
        of(view.tableId()).add(mutation, 0, length);
      }
    }
    failed = false;
  }

  /** Whether adding to a draft has failed. */
  boolean isFailed() {
    return failed;
  }

  /** The draft of a table; it is made if there is none. */
  Draft of(int tableId) {
    Draft found = find(tableId);
    if (found == null) {
      found = queues.engine().draft(tableId);
      tables.add(new Table(tableId, found));
    }
    return found;
  }

  private @Nullable Draft find(int tableId) {
    for (Table table : tables) {
      if (table.id == tableId) {
        return table.draft;
      }
    }
    return null;
  }

  /** Reads what the turn has written so far and what was there before. */
  ReadCursor read(ReadRequest request) {
    Draft draft = find(request.tableId());
    return draft == null ? queues.engine().read(request) : draft.read(request);
  }

  /** Closes all drafts. */
  void close() {
    failed = false;
    for (Table table : tables) {
      table.draft.close();
    }
    tables.clear();
  }
}
