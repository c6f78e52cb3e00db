package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.process.ServerProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a row 200 times a second, over several connections so that a slow answer does not delay the
 * reads after it, and remembers how long each answer took from the moment at which the read was
 * due. Every read must succeed. The connections are open and in use before the first read counts.
 */
final class LightClient implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 200;
  private static final int CONNECTIONS = 16;

  private final List<Thread> threads = new ArrayList<>();
  private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong reads = new AtomicLong();
  private final CountDownLatch connecting = new CountDownLatch(CONNECTIONS);
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile long start;
  private volatile String failure = "";
  private volatile boolean stopped;

  /** Returns when all connections have read once. */
  LightClient(ServerProcess server, String statement) throws InterruptedException {
    for (int i = 0; i < CONNECTIONS; i++) {
      threads.add(Thread.ofPlatform().start(() -> run(server, statement)));
    }
    connecting.await();
    start = System.nanoTime();
    begun.countDown();
  }

  private void run(ServerProcess server, String statement) {
    try (SkimmingClient client = new SkimmingClient(server)) {
      read(client, statement);
      connecting.countDown();
      begun.await();
      while (!stopped && failure.isEmpty()) {
        long due = start + PERIOD_NANOS * reads.getAndIncrement();
        LockSupport.parkNanos(due - System.nanoTime());
        read(client, statement);
        nanos.add(System.nanoTime() - due);
      }
    } catch (RuntimeException | InterruptedException e) {
      failure = e.toString();
    } finally {
      connecting.countDown();
    }
  }

  private void read(SkimmingClient client, String statement) {
    String error = client.query(statement, 100, null).error();
    if (!error.isEmpty()) {
      failure = error;
    }
  }

  /** Ends the reads; returns the number of milliseconds within which 99 of 100 were answered. */
  long endedPercentile() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(failure.isEmpty(), "a light client was refused: " + failure);
    List<Long> sorted = nanos.stream().sorted().toList();
    return TimeUnit.NANOSECONDS.toMillis(sorted.get(sorted.size() - 1 - sorted.size() / 100));
  }

  @Override
  public void close() {
    stopped = true;
  }
}
