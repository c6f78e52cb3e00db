package io.helenus.bench;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.error.CqlError;
import io.helenus.server.internode.Network;
import io.helenus.server.node.ClientConnections;
import io.helenus.server.node.Node;
import io.helenus.server.node.World;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.SystemClock;
import io.helenus.storage.env.SystemRandomness;
import io.helenus.storage.env.WorkerPool;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.memory.PageDiscard;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A prepared INSERT, a point SELECT, a SELECT of 50 rows and one of a set of 1,000 elements through
 * a whole node with one shard, from the request to the encoded response, including the log write
 * but without sockets. Run with {@code -prof gc} for the bytes allocated per operation.
 */
@NullUnmarked // JMH fills the fields
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class RequestBenchmark {
  private static final int PARTITIONS = 1000;
  private static final int ROWS = 50;
  private static final int PAYLOAD_BYTES = 200;
  private static final int SETS = 100;
  private static final int ELEMENTS = 1000;

  private final ManualLoop loop = new ManualLoop();
  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final Answer answer = new Answer();
  private final ByteWriter values = new ByteWriter(1024);
  private final QueryParameters parameters = new QueryParameters();
  private final Request.Execute execute = new Request.Execute(parameters);
  private Node node;
  private byte[] insert;
  private byte[] point;
  private byte[] slice;
  private byte[] set;
  private long next;

  /** A loop run by the benchmark's thread. */
  private static final class ManualLoop implements Scheduler {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      return () -> {};
    }

    @Override
    public void executeLast(Runnable slice) {
      tasks.add(slice);
    }

    void run() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }

    void await(CompletableFuture<?> future) {
      while (!future.isDone()) {
        run();
        Thread.onSpinWait();
      }
    }
  }

  /** Receives the response and keeps its size. */
  private static final class Answer implements Exchange {
    private final ByteWriter body = new ByteWriter(1 << 16);
    private boolean answered;
    private int bytes;
    private byte[] kept = {};
    private boolean keep;

    @Override
    public int protocolVersion() {
      return 4;
    }

    @Override
    public int streamId() {
      return 0;
    }

    @Override
    public boolean tracingRequested() {
      return false;
    }

    @Override
    public ByteWriter body() {
      return body.clear();
    }

    @Override
    public void respond(int opcode, ByteWriter content) {
      answered = true;
      bytes = content.size();
      if (keep) {
        kept = content.toArray();
      }
    }

    @Override
    public void respondError(CqlError error) {
      throw new IllegalStateException(error.message());
    }

    @Override
    public void warn(String text) {}

    @Override
    public void tracingId(long mostSignificantBits, long leastSignificantBits) {}

    @Override
    public void onDisconnect(Runnable cancellation) {}

    @Override
    public void holdEvents() {}
  }

  /** There are no socket connections. */
  private static final class NoClients implements ClientConnections {
    @Override
    public List<Session> sessions() {
      return List.of();
    }

    @Override
    public int port() {
      return 9042;
    }
  }

  /** Opens a node and fills a table. */
  @Setup(Level.Trial)
  public void open() throws Exception {
    Path folder = Files.createTempDirectory("helenus-bench");
    World world =
        new World(
            new DiskFileSystem(folder),
            new SystemClock(),
            new SystemRandomness(),
            List.of(loop),
            new WorkerPool("io", 2),
            new WorkerPool("search", 2),
            new WorkerPool("background", 1),
            PageDiscard.NONE,
            () -> true,
            Network.NONE,
            failure -> {
              throw new IllegalStateException(failure);
            });
    Settings settings =
        new Settings.Builder()
            .set("bench", Setting.MEMORY.name(), "4GiB")
            .set("bench", Setting.MEMTABLE_OFFHEAP_SPACE.name(), "512MiB")
            .build();
    node = Node.open(world, settings, new NoClients(), LocalStorage::open);
    session.protocolVersion(4);
    loop.await(node.start(event -> {}));
    query(
        "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    query(
        "CREATE TABLE bench.events (pk bigint, ck bigint, payload blob, seq int, PRIMARY KEY (pk,"
            + " ck)) WITH CLUSTERING ORDER BY (ck DESC)");
    insert = prepare("INSERT INTO bench.events (pk, ck, payload, seq) VALUES (?, ?, ?, ?)");
    point = prepare("SELECT payload, seq FROM bench.events WHERE pk = ? AND ck = ?");
    slice = prepare("SELECT ck, payload, seq FROM bench.events WHERE pk = ? LIMIT 50");
    for (int i = 0; i < PARTITIONS * ROWS; i++) {
      insert();
    }
    query("CREATE TABLE bench.sets (k bigint PRIMARY KEY, s set<bigint>)");
    set = prepare("SELECT s FROM bench.sets WHERE k = ?");
    for (int i = 0; i < SETS; i++) {
      String elements =
          LongStream.range(0, ELEMENTS).mapToObj(Long::toString).collect(Collectors.joining(", "));
      query("INSERT INTO bench.sets (k, s) VALUES (" + i + ", {" + elements + "})");
    }
  }

  private void query(String cql) {
    parameters.reset(ConsistencyLevel.ONE);
    call(new Request.Query(cql, parameters));
  }

  private byte[] prepare(String cql) {
    answer.keep = true;
    call(new Request.Prepare(cql, null));
    answer.keep = false;
    int length = ((answer.kept[4] & 0xFF) << 8) | (answer.kept[5] & 0xFF);
    return java.util.Arrays.copyOfRange(answer.kept, 6, 6 + length);
  }

  private int call(Request request) {
    answer.answered = false;
    node.shards().getFirst().tick();
    node.handlers().getFirst().handle(session, request, answer);
    while (!answer.answered) {
      loop.run();
    }
    return answer.bytes;
  }

  private int execute(byte[] id, int kind) {
    long n = next++;
    values.clear().putBytes(id);
    parameters.reset(ConsistencyLevel.ONE);
    parameters.values().begin(values.segment());
    addLong(n % (kind == 3 ? SETS : PARTITIONS));
    if (kind < 2) {
      addLong(n / PARTITIONS % ROWS);
    }
    if (kind == 0) {
      int at = values.reserve(PAYLOAD_BYTES);
      Bytes.setLong(values.segment(), at, n);
      parameters.values().add(at, PAYLOAD_BYTES);
      int seq = values.size();
      values.putInt((int) n);
      parameters.values().add(seq, Integer.BYTES);
    }
    execute.id(values.segment(), 0, id.length);
    execute.metadataId(0, -1);
    return call(execute);
  }

  private void addLong(long value) {
    int at = values.size();
    values.putLong(value);
    parameters.values().add(at, Long.BYTES);
  }

  /** INSERT of a row of 200 bytes. */
  @Benchmark
  public int insert() {
    return execute(insert, 0);
  }

  /** SELECT of one row. */
  @Benchmark
  public int point() {
    return execute(point, 1);
  }

  /** SELECT of 50 rows. */
  @Benchmark
  public int slice() {
    return execute(slice, 2);
  }

  /** SELECT of a set of 1,000 elements. */
  @Benchmark
  public int set() {
    return execute(set, 3);
  }
}
