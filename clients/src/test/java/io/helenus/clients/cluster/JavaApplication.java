package io.helenus.clients.cluster;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An application with a Java driver, in this process. */
abstract class JavaApplication implements DriverApplication {
  private static final int WORKERS = 4;
  private static final long PAUSE_MILLIS = 10;
  private static final int ROWS = 1000;

  private final String name;
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean ended;

  JavaApplication(String name) {
    this.name = name;
  }

  /** Writes a row of {@code rf3.t}; throws if that fails. */
  abstract void write(int id, int v);

  /** Reads a row of {@code rf3.t}; throws if that fails. */
  abstract void read(int id);

  /** The driver has said something of a node. */
  final void event(String what, InetAddress address) {
    events.add(what + " " + address.getHostAddress());
  }

  /** The driver has lost a node that it knew. */
  final void removed(InetAddress address) {
    failures.add("removed " + address.getHostAddress());
  }

  private void work(int number) {
    for (int i = number; !ended; i += WORKERS - 1) {
      try {
        if (i % 2 == 0) {
          write(i % ROWS, i);
        } else {
          read(i % ROWS);
        }
        done.incrementAndGet();
      } catch (RuntimeException e) {
        failures.add(e.toString());
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void load() {
    for (int i = 0; i < WORKERS; i++) {
      int number = i;
      Thread worker = new Thread(() -> work(number), name + " worker " + number);
      worker.setDaemon(true);
      workers.add(worker);
      worker.start();
    }
  }

  @Override
  public final int done() {
    return done.get();
  }

  @Override
  public final List<String> failures() {
    return new ArrayList<>(failures);
  }

  @Override
  public final List<String> events() {
    return new ArrayList<>(events);
  }

  @Override
  public final int end() {
    ended = true;
    try {
      for (Thread worker : workers) {
        worker.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return done.get();
  }
}
