package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.process.ServerProcess;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a row 200 times a second from a thread of its own, and remembers how long each answer took
 * from the moment at which the read was due. Every read must succeed.
 */
final class LightClient implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 200;

  private final Thread thread;
  private long[] nanos = new long[1 << 12];
  private int count;
  private String failure = "";
  private volatile boolean stopped;

  LightClient(ServerProcess server, String statement) {
    thread = Thread.ofPlatform().start(() -> run(server, statement));
  }

  private void run(ServerProcess server, String statement) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      long due = System.nanoTime();
      while (!stopped && failure.isEmpty()) {
        LockSupport.parkNanos(due - System.nanoTime());
        failure = client.query(statement, 100, null).error();
        if (count == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = System.nanoTime() - due;
        due += PERIOD_NANOS;
      }
    } catch (RuntimeException e) {
      failure = e.toString();
    }
  }

  /** Ends the reads; returns the number of milliseconds within which 99 of 100 were answered. */
  long endedPercentile() throws InterruptedException {
    stopped = true;
    thread.join();
    assertTrue(failure.isEmpty(), "a light client was refused: " + failure);
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return TimeUnit.NANOSECONDS.toMillis(sorted[count - 1 - count / 100]);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
