package io.helenus.server.viewbuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.error.CqlError;
import io.helenus.server.replica.PartitionStep;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.view.BaseViews;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The build of a view on a shard as a transcript: pages, steps, repetitions. */
class ShardBuildTest {
  private static final long RETRY_NANOS = 1_000_000_000;

  private final List<String> transcript = new ArrayList<>();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ArrayDeque<Runnable> delayed = new ArrayDeque<>();
  private final ArrayDeque<PartitionStep> steps = new ArrayDeque<>();
  private final List<Throwable> halts = new ArrayList<>();
  private final Part part = new Part();
  private boolean goesOn = true;

  private final Clock clock =
      new Clock() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };

  private final Shard shard =
      new Shard(
          0,
          new Scheduler() {
            @Override
            public void execute(Runnable task) {
              tasks.add(task);
            }

            @Override
            public Timer schedule(Runnable task, long delayNanos) {
              assertTrue(delayNanos == 0 || delayNanos == RETRY_NANOS);
              (delayNanos == 0 ? tasks : delayed).add(task);
              return () -> {};
            }
          },
          clock,
          halts::add);

  /** A shard whose base table has the partitions 1 to 3, without views of its rows. */
  private final class Part implements ShardReplica {
    private @Nullable Exception failure;
    private boolean stopsAtRow;

    @Override
    public Shard shard() {
      return shard;
    }

    @Override
    public void read(Shard from, ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply) {
      Exception cause = failure;
      failure = null;
      if (cause != null) {
        transcript.add("no read");
        reply.notRead(cause);
      } else if (request.keys().isPartition()) {
        readPartition(request, sink, reply);
      } else {
        boolean first = request.keys().lowerLength() == 0;
        transcript.add("page after " + (first ? "none" : KeyFormat.token(request.segment(), 0)));
        for (int token = 1; first && token <= 3; token++) {
          ByteWriter prefix = prefix(token);
          RowSink.Next ignored = sink.partition(prefix.segment(), 0, prefix.size());
        }
        reply.read(first, 0, 0, 0);
      }
    }

    private void readPartition(ReadRequest request, RowSink sink, ReplicaAccess.ReadReply reply) {
      long from = request.segment().get(ValueLayout.JAVA_BYTE, suffixAt(request));
      String first = from == KeyFormat.TAG_BOUND_BEFORE ? "" : " from row " + from;
      transcript.add("rows of " + KeyFormat.token(request.segment(), 0) + first);
      boolean stops = stopsAtRow;
      stopsAtRow = false;
      if (stops) {
        ByteWriter key = new ByteWriter(2).putByte(7).putByte(KeyFormat.TAG_END);
        RowView row = new RowView().wrap(new ByteWriter(16).putLong(0).putLong(0).segment(), 0, 9);
        RowSink.Next ignored = sink.row(key.segment(), 0, key.size(), row);
      }
      reply.read(stops, 0, 0, 0);
    }

    /** Where the first byte after the section of the first slice is. */
    private static long suffixAt(ReadRequest request) {
      return request.keys().sliceOffset(0) + 1;
    }

    @Override
    public void queue(ByteWriter prefix, PartitionStep step) {
      transcript.add("queue " + KeyFormat.token(prefix.segment(), 0));
      steps.add(step);
    }

    @Override
    public @Nullable BaseViews views(int tableId) {
      return null;
    }
  }

  private static final class NoWrites implements ReplicaAccess {
    @Override
    public RunningRead readRaw(
        Shard from,
        long firstToken,
        long lastToken,
        ReadRequest request,
        int limitBytes,
        ByteWriter into,
        ReadReply reply) {
      throw new UnsupportedOperationException("no test reads several replicas");
    }

    @Override
    public ReplicaMerge merge(Shard shard, ReadRequest request, int replicas) {
      throw new UnsupportedOperationException("no test reads several replicas");
    }

    @Override
    public RunningWrite write(
        Shard from, long token, MemorySegment mutation, int length, WriteReply reply) {
      throw new AssertionError("there are no views");
    }

    @Override
    public void compute(Shard from, long token, ComputedWrite write, ComputedReply reply) {
      throw new AssertionError("there are no views");
    }

    @Override
    public RunningRead read(
        Shard from,
        long firstToken,
        long lastToken,
        ReadRequest request,
        RowSink sink,
        ReadReply reply) {
      throw new AssertionError("it reads from its shard");
    }

    @Override
    public void truncate(Shard from, int tableId, WriteReply reply) {
      throw new AssertionError("nothing is truncated");
    }

    @Override
    public TokenSlices slices() {
      throw new AssertionError("it knows its shard");
    }
  }

  private static ByteWriter prefix(int token) {
    ByteWriter key = new ByteWriter(4).putInt(token);
    ByteWriter prefix = new ByteWriter(16);
    KeyFormat.putPartition(token, key.segment(), 0, key.size(), prefix);
    return prefix;
  }

  private final ShardBuild build =
      new ShardBuild(
          new NoWrites(),
          part,
          clock,
          200,
          201,
          Long.MIN_VALUE,
          new ShardBuild.Listener() {
            @Override
            public boolean goesOn() {
              return goesOn;
            }

            @Override
            public void advanced(long token, int partitions) {
              transcript.add("built up to " + token + ": " + partitions);
            }

            @Override
            public void ended() {
              transcript.add("ended");
            }
          });

  /** Runs the loop until it is idle, then compares what has happened since the last time. */
  private void expect(String... lines) {
    int ran = 0;
    while (!tasks.isEmpty() && ran++ < 100) {
      tasks.remove().run();
    }
    assertEquals(List.of(lines), transcript);
    assertEquals(List.of(), halts);
    transcript.clear();
  }

  /** Gives the earliest queued step its turn. */
  private void turn() {
    steps.remove().begin(() -> transcript.add("turn ends"));
  }

  private void later() {
    delayed.remove().run();
  }

  @Test
  void aPageOfPartitionsIsBuiltBeforeTheNextOneIsRead() {
    build.next();
    expect("page after none", "queue 1", "queue 2", "queue 3");
    turn();
    turn();
    expect("rows of 1", "turn ends", "rows of 2", "turn ends");
    turn();
    expect("rows of 3", "built up to 3: 3", "turn ends", "page after 3", "ended");
  }

  @Test
  void aLargePartitionIsBuiltInSeveralTurns() {
    build.next();
    expect("page after none", "queue 1", "queue 2", "queue 3");
    part.stopsAtRow = true;
    turn();
    expect("rows of 1", "queue 1", "turn ends");
    turn();
    turn();
    expect("rows of 2", "turn ends", "rows of 3", "turn ends");
    turn();
    expect("rows of 1 from row 7", "built up to 3: 3", "turn ends", "page after 3", "ended");
  }

  @Test
  void whatFailsIsRepeatedLater() {
    part.failure = new IllegalStateException("damaged");
    build.next();
    expect("no read");
    later();
    expect("page after none", "queue 1", "queue 2", "queue 3");
    part.failure = new IllegalStateException("damaged");
    turn();
    expect("no read", "turn ends");
    steps.remove().refused(new CqlError.Overloaded("too many wait"));
    expect();
    turn();
    expect("rows of 3", "turn ends");
    later();
    later();
    expect("queue 1", "queue 2");
    turn();
    turn();
    expect(
        "rows of 1",
        "turn ends",
        "rows of 2",
        "built up to 3: 3",
        "turn ends",
        "page after 3",
        "ended");
  }

  @Test
  void aBuildThatIsNoLongerWantedEndsWithTheStepsThatWait() {
    build.next();
    expect("page after none", "queue 1", "queue 2", "queue 3");
    goesOn = false;
    part.failure = new IllegalStateException("damaged");
    turn();
    turn();
    turn();
    expect(
        "no read",
        "turn ends",
        "rows of 2",
        "turn ends",
        "rows of 3",
        "built up to 3: 3",
        "turn ends");
    assertTrue(delayed.isEmpty(), "nothing is repeated");
  }
}
