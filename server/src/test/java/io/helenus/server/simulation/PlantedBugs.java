package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.node.Node;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ForwardingCursor;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Bugs planted on purpose. Each must be detected as its own kind of violation. */
final class PlantedBugs {
  private static final int SEEDS_TO_CATCH_A_BUG = 60;

  private PlantedBugs() {}

  /** The run of a seed, which fails if it violates a guarantee. */
  interface SeededRun {
    /** Runs with a bug. */
    void run(long seed, SimNode.Hooks bug);
  }

  /** Requires that some seed violates a guarantee with this bug. */
  static void assertCaught(SimNode.Hooks bug, SeededRun run) {
    assertThrows(
        AssertionError.class,
        () -> {
          for (long seed = 1; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
            run.run(seed, bug);
          }
        },
        "the planted bug was not detected");
  }

  /** The commit log is never synced. */
  static final SimNode.Hooks LOG_NOT_SYNCED =
      inFiles(files -> FileSystemBug.dropSyncs(files, path -> path.startsWith("commitlog/")));

  /** A write is acknowledged as soon as the engine sees it. */
  static final SimNode.Hooks ANSWER_BEFORE_LOG =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                @Override
                public void apply(
                    MemorySegment mutation, long offset, int length, WriteListener listener) {
                  engine.apply(mutation, offset, length, new IgnoringListener());
                  listener.onDurable();
                }
              });

  /** A computed write does not see the earlier ones of its turn. */
  static final SimNode.Hooks DRAFT_NOT_READ =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                @Override
                public Draft draft(int tableId) {
                  return new DraftReadAfter(engine.draft(tableId)) {
                    @Override
                    public ReadCursor read(ReadRequest request) {
                      return engine.read(request);
                    }
                  };
                }
              });

  /** A draft whose rows before and after are read one after the other. */
  private static class DraftReadAfter implements Draft {
    private final Draft draft;

    DraftReadAfter(Draft draft) {
      this.draft = draft;
    }

    @Override
    public void add(MemorySegment mutation, long offset, int length) {
      draft.add(mutation, offset, length);
    }

    @Override
    public ReadCursor read(ReadRequest request) {
      return draft.read(request);
    }

    @Override
    public @Nullable ReadCursor readBoth(ReadRequest request, RowSink before) {
      return null;
    }

    @Override
    public void close() {
      draft.close();
    }
  }

  /**
   * What a write changes in views is computed from its rows as they were before the previous write
   * to them, as if it had not waited for that one: of what both change in views, one part is lost.
   */
  static final SimNode.Hooks VIEW_UPDATE_LOST =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                private final Map<ByteBuffer, RememberedRows> last = new HashMap<>();

                @Override
                public Draft draft(int tableId) {
                  return new DraftReadAfter(engine.draft(tableId));
                }

                @Override
                public ReadCursor read(ReadRequest request) {
                  ReadCursor cursor = engine.read(request);
                  if (!request.keys().areDeadRowsWanted()) {
                    return cursor;
                  }
                  RememberedRows rows = new RememberedRows();
                  RememberedRows earlier = last.put(key(request), rows);
                  return new RememberingCursor(cursor, rows, earlier);
                }
              });

  /** What a request reads. */
  private static ByteBuffer key(ReadRequest request) {
    int slices = request.keys().sliceCount();
    int end = request.keys().lowerLength();
    if (slices > 0) {
      end = request.keys().sliceOffset(slices - 1);
      end +=
          request.keys().sliceLowerLength(slices - 1) + request.keys().sliceUpperLength(slices - 1);
    }
    return ByteBuffer.allocate(Integer.BYTES + end)
        .putInt(request.tableId())
        .put(Bytes.toArray(request.segment(), 0, end))
        .flip();
  }

  /** Compactions drop deletions before their grace period has passed. */
  static final SimNode.Hooks PURGE_TOO_EARLY =
      new SimNode.Hooks() {
        @Override
        public Node.StorageOpener opener() {
          return (environment, options, tables) ->
              LocalStorage.open(environment, options, tables, (table, nowSeconds) -> nowSeconds);
        }
      };

  /** A scan that begins in the middle of a partition omits its first row. */
  static final SimNode.Hooks PAGE_SKIPS_ROW =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                @Override
                public ReadCursor read(ReadRequest request) {
                  ReadCursor cursor = engine.read(request);
                  return request.keys().isPartition()
                          && request.keys().sliceCount() == 1
                          && !request.keys().isReversed()
                      ? new SkippingCursor(cursor)
                      : cursor;
                }
              });

  /** A flush continues after a failed sync. */
  static final SimNode.Hooks FLUSH_IGNORES_ERROR =
      inFiles(files -> FileSystemBug.ignoreSyncErrors(files, path -> path.startsWith("sstables/")));

  /** A failed read ends as if there were no more rows. */
  static final SimNode.Hooks READ_ERROR_ENDS_SCAN =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                @Override
                public ReadCursor read(ReadRequest request) {
                  return new TruncatingCursor(engine.read(request));
                }
              });

  /** A rejected write is retried and applied after all. */
  static final SimNode.Hooks REFUSED_BUT_APPLIED =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                private final List<byte[]> again = new ArrayList<>();

                @Override
                public void apply(
                    MemorySegment mutation, long offset, int length, WriteListener listener) {
                  byte[] copy = Bytes.toArray(mutation, offset, length);
                  engine.apply(
                      mutation, offset, length, new RetryingListener(listener, copy, again));
                }

                @Override
                public void endTick() {
                  for (byte[] bytes : List.copyOf(again)) {
                    again.remove(bytes);
                    engine.apply(
                        MemorySegment.ofArray(bytes),
                        0,
                        bytes.length,
                        new RetryingListener(new IgnoringListener(), bytes, again));
                  }
                  engine.endTick();
                }
              });

  /** Batch log entries are acknowledged but not written. */
  static final SimNode.Hooks NO_BATCH_LOG =
      inEngines(
          engine ->
              new ForwardingEngine(engine) {
                @Override
                public void apply(
                    MemorySegment mutation, long offset, int length, WriteListener listener) {
                  MutationView view = new MutationView();
                  view.wrap(mutation, offset, length);
                  if (view.nextTable() && view.tableId() == BatchLog.TABLE_ID) {
                    listener.onDurable();
                  } else {
                    engine.apply(mutation, offset, length, listener);
                  }
                }
              });

  /** Unreferenced files are not deleted. */
  static final SimNode.Hooks FILES_NOT_DELETED =
      inFiles(files -> FileSystemBug.dropDeletes(files, path -> path.startsWith("sstables/")));

  private static SimNode.Hooks inFiles(UnaryOperator<FileSystem> bug) {
    return new SimNode.Hooks() {
      @Override
      public FileSystem files(FileSystem files) {
        return bug.apply(files);
      }
    };
  }

  private static SimNode.Hooks inEngines(UnaryOperator<StorageEngine> bug) {
    return new SimNode.Hooks() {
      @Override
      public Node.StorageOpener opener() {
        return (environment, options, tables) ->
            WrappedStorage.of(
                LocalStorage.open(environment, options, tables), bug, UnaryOperator.identity());
      }
    };
  }

  /** Ignores the outcome of a write. */
  private static final class IgnoringListener implements StorageEngine.WriteListener {
    @Override
    public void onDurable() {}

    @Override
    public void onRefused(Exception cause) {}
  }

  /** Keeps rejected writes. */
  private record RetryingListener(
      StorageEngine.WriteListener listener, byte[] mutation, List<byte[]> refused)
      implements StorageEngine.WriteListener {
    @Override
    public void onDurable() {
      listener.onDurable();
    }

    @Override
    public void onRefused(Exception cause) {
      refused.add(mutation);
      listener.onRefused(cause);
    }
  }

  /** Treats an error as the end. */
  private static final class TruncatingCursor extends ForwardingCursor {
    TruncatingCursor(ReadCursor cursor) {
      super(cursor);
    }

    @Override
    public Status advance(RowSink sink) {
      try {
        return super.advance(sink);
      } catch (StorageException e) {
        return Status.DONE;
      }
    }
  }

  /** Copies of rows: the clustering key and the row of each. */
  private static final class RememberedRows {
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> rows = new ArrayList<>();

    void add(MemorySegment clustering, long offset, int length, RowView row) {
      keys.add(Bytes.toArray(clustering, offset, length));
      rows.add(Bytes.toArray(row.segment(), row.offset(), row.length()));
    }

    void show(RowSink sink) {
      for (int i = 0; i < rows.size(); i++) {
        ByteWriter bytes = new ByteWriter(64);
        bytes.putBytes(keys.get(i)).putBytes(rows.get(i));
        int key = keys.get(i).length;
        RowView row = new RowView().wrap(bytes.segment(), key, bytes.size() - key);
        assert sink.row(bytes.segment(), 0, key, row) != null;
      }
    }
  }

  /** Remembers the rows that are read; shows those that were read before, if there are any. */
  private static final class RememberingCursor extends ForwardingCursor {
    private final RememberedRows rows;
    private final @Nullable RememberedRows earlier;

    RememberingCursor(ReadCursor cursor, RememberedRows rows, @Nullable RememberedRows earlier) {
      super(cursor);
      this.rows = rows;
      this.earlier = earlier;
    }

    @Override
    public Status advance(RowSink sink) {
      Status status =
          super.advance(
              new RowSink() {
                @Override
                public Next partition(MemorySegment prefix, long offset, int length) {
                  return sink.partition(prefix, offset, length);
                }

                @Override
                public Next staticRow(RowView row) {
                  return sink.staticRow(row);
                }

                @Override
                public Next row(MemorySegment clustering, long offset, int length, RowView row) {
                  rows.add(clustering, offset, length, row);
                  return earlier == null
                      ? sink.row(clustering, offset, length, row)
                      : Next.CONTINUE;
                }
              });
      if (status == Status.DONE && earlier != null) {
        earlier.show(sink);
      }
      return status;
    }
  }

  /** Omits the first row. */
  private static final class SkippingCursor extends ForwardingCursor {
    private boolean skipped;

    SkippingCursor(ReadCursor cursor) {
      super(cursor);
    }

    @Override
    public Status advance(RowSink sink) {
      return super.advance(
          new RowSink() {
            @Override
            public Next partition(MemorySegment prefix, long offset, int length) {
              return sink.partition(prefix, offset, length);
            }

            @Override
            public Next staticRow(RowView row) {
              return sink.staticRow(row);
            }

            @Override
            public Next row(MemorySegment clustering, long offset, int length, RowView row) {
              if (skipped) {
                return sink.row(clustering, offset, length, row);
              }
              skipped = true;
              return Next.CONTINUE;
            }
          });
    }
  }
}
