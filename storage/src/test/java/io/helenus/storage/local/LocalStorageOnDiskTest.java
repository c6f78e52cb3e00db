package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.SystemClock;
import io.helenus.storage.env.SystemRandomness;
import io.helenus.storage.env.ThreadScheduler;
import io.helenus.storage.env.WorkerPool;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.testing.ForwardingFileSystem;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests storage on real files and threads. */
class LocalStorageOnDiskTest {
  private static final int TABLE = 4;
  private static final int ROWS = 6_000;
  private final AtomicReference<Throwable> fatal = new AtomicReference<>();
  private final Queue<String> open = new ConcurrentLinkedQueue<>();
  @TempDir Path folder;

  /** Lists the open files. */
  private final class ListingFileSystem extends ForwardingFileSystem {
    ListingFileSystem() throws IOException {
      super(new DiskFileSystem(folder));
    }

    @Override
    public File create(String path) throws IOException {
      return new ListedFile(super.create(path));
    }

    @Override
    public File open(String path) throws IOException {
      return new ListedFile(super.open(path));
    }
  }

  private final class ListedFile extends ForwardingFileSystem.ForwardingFile {
    ListedFile(FileSystem.File file) {
      super(file);
      open.add(path());
    }

    @Override
    public void close() throws IOException {
      super.close();
      open.remove(path());
    }
  }

  /** A node's storage with its threads. */
  private final class Running implements AutoCloseable {
    private final List<ThreadScheduler> shards = new ArrayList<>();
    private final WorkerPool io = new WorkerPool("test-io", 2);
    private final WorkerPool search = new WorkerPool("test-search", 1);
    private final WorkerPool background = new WorkerPool("test-background", 1);
    private final LocalStorage storage;

    Running(int shardCount, SyncMode mode) throws IOException {
      for (int i = 0; i < shardCount; i++) {
        shards.add(new ThreadScheduler("test-shard"));
      }
      StorageEnvironment environment =
          new StorageEnvironment(
              new ListingFileSystem(),
              new SystemClock(),
              new SystemRandomness(),
              List.<Scheduler>copyOf(shards),
              io,
              search,
              background,
              fatal::set,
              NodeMemory.unlimited());
      StorageOptions options =
          TestStorageOptions.of(shardCount, mode)
              .syncPeriodNanos(1_000_000L)
              .commitLog(1 << 20, 16 << 20)
              .memtableBytes(1 << 20)
              .blockCacheBytes(1 << 20)
              .build();
      storage = LocalStorage.open(environment, options, SimStorage.tables(TABLE));
    }

    /** Starts a request and waits for its outcome. */
    void await(Consumer<Consumer<Exception>> command) {
      CompletableFuture<Optional<Exception>> done = new CompletableFuture<>();
      command.accept(failure -> assertTrue(done.complete(Optional.ofNullable(failure))));
      assertEquals(Optional.empty(), done.join());
    }

    /** Writes in batches that fit the queue of pending writes. */
    void write(int from, int to) {
      for (int start = from; start < to; start += 1000) {
        int first = start;
        int last = Math.min(to, start + 1000);
        await(whenDone -> writeAtOnce(first, last, new Countdown(last - first, whenDone)));
      }
    }

    private void writeAtOnce(int from, int to, Countdown each) {
      for (int i = from; i < to; i++) {
        int partition = i;
        int shard = new ShardMap(shards.size()).shardOf(TestKeys.token(partition));
        shards.get(shard).execute(() -> write(partition, shard, each));
      }
    }

    private void write(int partition, int shard, Consumer<Exception> whenDone) {
      TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
      cells.put(1, partition);
      ModelTable.Put put = new ModelTable.Put(false, 1, true, 1, 0, ModelTable.NEVER, cells);
      ByteWriter mutation =
          new TestMutations().begin(partition).table(TABLE, List.of(put), 0).end();
      StorageEngine engine = storage.engines().get(shard);
      engine.apply(
          mutation.segment(),
          0,
          mutation.size(),
          new StorageEngine.WriteListener() {
            @Override
            public void onDurable() {
              whenDone.accept(null);
            }

            @Override
            public void onRefused(Exception cause) {
              whenDone.accept(cause);
            }
          });
      engine.endTick();
    }

    int count() {
      int rows = 0;
      for (int shard = 0; shard < shards.size(); shard++) {
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        int which = shard;
        shards.get(shard).execute(() -> count(which, counted));
        rows += counted.join();
      }
      return rows;
    }

    private void count(int shard, CompletableFuture<Integer> counted) {
      ReadCursor cursor = storage.engines().get(shard).read(new ReadRequest().reset(TABLE, 0));
      go(cursor, new TextSink(0), counted);
    }

    private void go(ReadCursor cursor, TextSink sink, CompletableFuture<Integer> counted) {
      ReadCursor.Status status = cursor.advance(sink);
      while (status == ReadCursor.Status.YIELD) {
        status = cursor.advance(sink);
      }
      if (status == ReadCursor.Status.WAITING) {
        cursor.whenReady(() -> go(cursor, sink, counted));
      } else {
        cursor.close();
        assertTrue(counted.complete(sink.rows));
      }
    }

    @Override
    public void close() {
      for (ThreadScheduler shard : shards) {
        CompletableFuture<Boolean> last = new CompletableFuture<>();
        shard.execute(() -> last.complete(true));
        assertTrue(last.join());
        shard.close();
      }
      storage.close();
      background.close();
      search.close();
      io.close();
    }
  }

  /** So few files that none are being compacted: what such a job has open stays open. */
  @Test
  void closedStorageHasNoFilesOpen() throws IOException {
    try (Running running = new Running(2, SyncMode.PERIODIC)) {
      for (int i = 0; i < 2; i++) {
        running.write(0, 500);
        running.await(done -> running.storage.flush(0, done));
      }
      running.write(0, 500);
      assertFalse(open.isEmpty());
    }
    assertEquals(List.of(), List.copyOf(open));
    try (Running running = new Running(2, SyncMode.PERIODIC)) {
      assertEquals(500, running.count());
      assertFalse(open.isEmpty());
    }
    assertEquals(List.of(), List.copyOf(open));
  }

  @Test
  void rowsSurviveFlushesCompactionsAndChangesOfTheNumberOfShards() throws IOException {
    int expected = 0;
    int shards = 2;
    for (SyncMode mode : SyncMode.values()) {
      try (Running running = new Running(shards, mode)) {
        assertEquals(expected, running.count());
        running.write(expected, expected + ROWS);
        expected += ROWS;
        assertEquals(expected, running.count());
        if (mode == SyncMode.BATCH) {
          running.await(done -> running.storage.flush(0, done));
          running.await(done -> running.storage.compact(0, done));
          assertEquals(expected, running.count());
        }
      }
      assertNull(fatal.get());
      shards = 5 - shards;
    }
    try (Running running = new Running(1, SyncMode.PERIODIC)) {
      assertEquals(expected, running.count());
      running.await(done -> running.storage.truncate(TABLE, done));
      assertEquals(0, running.count());
    }
    try (Running running = new Running(4, SyncMode.PERIODIC)) {
      assertEquals(0, running.count());
    }
  }
}
