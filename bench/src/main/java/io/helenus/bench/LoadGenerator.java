package io.helenus.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sends prepared statements to a server from one thread at minimal cost. Prints the throughput, the
 * percentiles of latency, measured from the time at which a request was due, and the server's CPU
 * time per operation.
 *
 * <p>With a rate, it is an open loop: requests become due at regular intervals, regardless of
 * earlier responses. It never sleeps, so that it does not measure its own wake-up latency, and
 * therefore uses a whole core. Without a rate, it is a closed loop with the maximum number of
 * requests in flight.
 */
public final class LoadGenerator {
  private static final String USAGE =
      """
      LoadGenerator HOST PORT PID WORKLOAD SECONDS CONNECTIONS DEPTH [RATE] [KEYS]
        WORKLOAD  seed (KEYS rows, once), write, read (one row), slice (50 rows), mixed,
                  echo (writes to a server that only echoes: EchoServer),
                  or one of the language, on tables of its own: %s
        DEPTH     requests in flight on each connection
        RATE      operations a second; 0: as many as the server answers
        KEYS      rows in all, 50 in a partition (1000000)\
      """
          .formatted(String.join(", ", LanguageWorkload.names()));

  private static final int ROWS_PER_PARTITION = 50;
  private static final int PAYLOAD_BYTES = 200;
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  private enum Kind {
    WRITE,
    READ,
    SLICE
  }

  private enum Workload {
    SEED,
    WRITE,
    READ,
    SLICE,
    MIXED,
    ECHO,
    LANGUAGE
  }

  private final LoadConnection[] connections;
  private final Workload workload;
  private final String name;
  private final @Nullable LanguageWorkload language;
  private final double rate;
  private final long keys;
  private final byte[][] prepared = new byte[Kind.values().length][16];
  private final byte[] payloads = new byte[1 << 20];
  private final Random random = new Random(42);
  private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
  private long sent;
  private long answered;
  private long errors;

  private LoadGenerator(
      InetSocketAddress server, String name, int count, int depth, double rate, long keys)
      throws IOException {
    this.name = name;
    language = LanguageWorkload.named(name);
    workload =
        language != null ? Workload.LANGUAGE : Workload.valueOf(name.toUpperCase(Locale.ROOT));
    this.rate = rate;
    this.keys = keys;
    connections = new LoadConnection[count];
    for (int i = 0; i < count; i++) {
      connections[i] = new LoadConnection(server, depth);
      if (workload != Workload.ECHO) {
        connections[i].start();
      }
    }
    // Half random, half text: compresses about two to one, like typical rows.
    new Random(7).nextBytes(payloads);
    for (int i = 0; i < payloads.length; i++) {
      if ((i & 15) < 8) {
        payloads[i] = (byte) "row text".charAt(i & 7);
      }
    }
  }

  /** Runs one workload; for the arguments see the usage text. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 7) {
      System.err.println(USAGE);
      System.exit(2);
    }
    LoadGenerator generator =
        new LoadGenerator(
            new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
            arguments[3],
            Integer.parseInt(arguments[5]),
            Integer.parseInt(arguments[6]),
            arguments.length > 7 ? Double.parseDouble(arguments[7]) : 0,
            arguments.length > 8 ? Long.parseLong(arguments[8]) : 1_000_000);
    generator.prepare();
    generator.run(Long.parseLong(arguments[2]), Double.parseDouble(arguments[4]));
  }

  private void prepare() throws IOException {
    if (workload == Workload.ECHO) {
      return;
    }
    LoadConnection first = connections[0];
    first.query(
        "CREATE KEYSPACE IF NOT EXISTS bench"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    if (language != null) {
      language.prepare(first);
      return;
    }
    first.query(
        "CREATE TABLE IF NOT EXISTS bench.events (pk bigint, ck bigint, payload blob, seq int,"
            + " PRIMARY KEY (pk, ck)) WITH CLUSTERING ORDER BY (ck DESC)");
    prepared[Kind.WRITE.ordinal()] =
        first.prepare("INSERT INTO bench.events (pk, ck, payload, seq) VALUES (?, ?, ?, ?)");
    prepared[Kind.READ.ordinal()] =
        first.prepare("SELECT payload, seq FROM bench.events WHERE pk = ? AND ck = ?");
    prepared[Kind.SLICE.ordinal()] =
        first.prepare("SELECT ck, payload, seq FROM bench.events WHERE pk = ? LIMIT 50");
  }

  private void run(long pid, double seconds) throws IOException {
    try (Selector selector = Selector.open()) {
      for (LoadConnection connection : connections) {
        connection.share().register(selector, SelectionKey.OP_READ);
      }
      boolean seed = workload == Workload.SEED;
      double warmUp = seed ? 0 : Math.min(seconds * 0.2, 5);
      if (!seed) {
        phase(selector, warmUp);
      }
      nanos.reset();
      errors = 0;
      long before = answered;
      Duration cpuBefore = cpu(pid);
      long begin = System.nanoTime();
      phase(selector, seed ? Double.POSITIVE_INFINITY : seconds - warmUp);
      report(pid, answered - before, System.nanoTime() - begin, cpu(pid).minus(cpuBefore));
    }
  }

  /** Sends for this long, then waits for the outstanding responses. */
  private void phase(Selector selector, double seconds) throws IOException {
    long begin = System.nanoTime();
    long sentBefore = sent;
    while (true) {
      long now = System.nanoTime();
      boolean sending = (now - begin) / 1e9 < seconds && (workload != Workload.SEED || sent < keys);
      if (!sending && sent == answered) {
        return;
      }
      for (LoadConnection connection : connections) {
        while (sending && connection.hasRoom() && (workload != Workload.SEED || sent < keys)) {
          long due = rate > 0 ? begin + (long) ((sent - sentBefore) * 1e9 / rate) : now;
          if (due > now) {
            break;
          }
          send(connection, due);
        }
        connection.flush();
      }
      if (rate > 0) {
        selector.selectNow(key -> {});
      } else {
        selector.select(key -> {}, 1);
      }
      for (LoadConnection connection : connections) {
        answered += connection.receive(this::record);
      }
    }
  }

  private void record(long stampNanos, boolean error) {
    nanos.recordValue(Math.min(System.nanoTime() - stampNanos, nanos.getHighestTrackableValue()));
    if (error) {
      errors++;
    }
  }

  private void send(LoadConnection connection, long due) {
    if (language != null) {
      language.send(connection, random, due);
      sent++;
      return;
    }
    long row = workload == Workload.SEED ? sent : Math.floorMod(random.nextLong(), keys);
    Kind kind =
        switch (workload) {
          case SEED, WRITE, ECHO -> Kind.WRITE;
          case READ -> Kind.READ;
          case SLICE -> Kind.SLICE;
          case MIXED, LANGUAGE -> (sent & 1) == 0 ? Kind.WRITE : Kind.READ;
        };
    long partition = mix(row / ROWS_PER_PARTITION);
    byte[] id = prepared[kind.ordinal()];
    switch (kind) {
      case WRITE -> {
        ByteBuffer values = putLong(putLong(connection.execute(id, 4, due), partition), place(row));
        int window = (int) Math.floorMod(mix(row) * 31, (long) payloads.length - PAYLOAD_BYTES);
        values.putInt(PAYLOAD_BYTES).put(payloads, window, PAYLOAD_BYTES);
        values.putInt(Integer.BYTES).putInt((int) row);
      }
      case READ -> putLong(putLong(connection.execute(id, 2, due), partition), place(row));
      case SLICE -> putLong(connection.execute(id, 1, due), partition);
    }
    connection.end();
    sent++;
  }

  private static long place(long row) {
    return row % ROWS_PER_PARTITION;
  }

  private static ByteBuffer putLong(ByteBuffer values, long value) {
    return values.putInt(Long.BYTES).putLong(value);
  }

  private static long mix(long value) {
    long mixed = value * GOLDEN_RATIO;
    return mixed ^ (mixed >>> 32);
  }

  private void report(long pid, long count, long tookNanos, Duration cpu) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%-15s %8.0f/s  p50 %.3f ms  p99 %.3f ms  p99.9 %.3f ms  max %.1f ms  errors %d"
            + "  server CPU %.1f us/operation  resident %d MB%n",
        name,
        count / (tookNanos / 1e9),
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6,
        nanos.getValueAtPercentile(99.9) / 1e6,
        nanos.getMaxValue() / 1e6,
        errors,
        cpu.toNanos() / 1e3 / Math.max(1, count),
        residentMegabytes(pid));
  }

  /** User and system time of a process; zero if the platform does not provide it. */
  private static Duration cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private static long residentMegabytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }
}
