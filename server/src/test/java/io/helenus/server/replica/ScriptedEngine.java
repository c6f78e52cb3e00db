package io.helenus.server.replica;

import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine without rows that appends its calls to a transcript, and whose writes become durable,
 * or are refused, when a test says so. A row is shown by the first letter of its clustering key.
 */
final class ScriptedEngine implements StorageEngine {
  private final List<String> transcript;
  private final ArrayDeque<WriteListener> logged = new ArrayDeque<>();
  private @Nullable Runnable continuation;
  private @Nullable Consumer<? super Exception> claim;
  private @Nullable ShareId share;

  /** Whether the next reads wait for a block. */
  boolean waits;

  /** Whether the next reads fail. */
  boolean fails;

  ScriptedEngine(List<String> transcript) {
    this.transcript = transcript;
  }

  /** The rows that a mutation writes, by table: {@code 200:ab}. */
  static String rows(MemorySegment mutation, int length) {
    MutationView view = new MutationView().wrap(mutation, 0, length);
    List<String> tables = new ArrayList<>();
    while (view.nextTable()) {
      StringBuilder rows = new StringBuilder();
      MutationEntry entry = new MutationEntry();
      long at = view.entriesOffset();
      while (at < view.entriesOffset() + view.entriesLength()) {
        at = entry.wrap(view.segment(), at);
        long first = entry.suffixOffset() + 1;
        rows.append((char) view.segment().get(ValueLayout.JAVA_BYTE, first));
      }
      tables.add(view.tableId() + ":" + rows);
    }
    return String.join(" ", tables);
  }

  /** The earliest write that is in progress becomes durable. */
  void durable() {
    logged.removeFirst().onDurable();
  }

  /** The earliest write that is in progress is refused. */
  void refuse(Exception cause) {
    logged.removeFirst().onRefused(cause);
  }

  /** The block is there for which a read waits. */
  void loaded() {
    waits = false;
    Runnable waiting = continuation;
    continuation = null;
    if (waiting == null) {
      throw new AssertionError("no read waits");
    }
    waiting.run();
  }

  /** The share id that was asked for is there, or cannot be had. */
  void claimed(@Nullable Exception failure) {
    Consumer<? super Exception> waiting = claim;
    claim = null;
    if (waiting == null) {
      throw new AssertionError("nobody has asked for it");
    }
    share = failure == null ? new ShareId(0, 1) : null;
    waiting.accept(failure);
  }

  @Override
  public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
    transcript.add("log " + rows(mutation, length));
    logged.add(listener);
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    return new Cursor("read " + request.tableId());
  }

  @Override
  public Draft draft(int tableId) {
    StringBuilder drafted = new StringBuilder();
    return new Draft() {
      @Override
      public void add(MemorySegment mutation, long offset, int length) {
        drafted.append(rows(mutation, length).substring((tableId + ":").length()));
      }

      @Override
      public ReadCursor read(ReadRequest request) {
        return new Cursor("read " + tableId + " with " + drafted);
      }

      @Override
      public @Nullable ReadCursor readBoth(ReadRequest request, RowSink before) {
        return new Cursor("read " + tableId + " without and with " + drafted);
      }

      @Override
      public void close() {}
    };
  }

  private final class Cursor implements ReadCursor {
    Cursor(String description) {
      if (fails) {
        throw new IllegalStateException("damaged");
      }
      transcript.add(description);
    }

    @Override
    public Status advance(RowSink sink) {
      return waits ? Status.WAITING : Status.DONE;
    }

    @Override
    public void whenReady(Runnable newContinuation) {
      continuation = newContinuation;
    }

    @Override
    public int rowsRead() {
      return 0;
    }

    @Override
    public int tombstonesRead() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Override
  public @Nullable ShareId counterShare() {
    return share;
  }

  @Override
  public void claimCounterShare(Consumer<? super Exception> whenDone) {
    transcript.add("claim a share id");
    claim = whenDone;
  }

  @Override
  public void endTick() {}

  @Override
  public CacheStatistics cacheStatistics() {
    throw new AssertionError("no test asks");
  }

  @Override
  public CommitLogStatistics commitLogStatistics() {
    throw new AssertionError("no test asks");
  }

  @Override
  public boolean tickPending() {
    return false;
  }
}
