package io.helenus.server.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Nodes that run as processes of their own: prints their output with their names, tells when one
 * ends, and stops those that run. {@link #stop} may be called by any thread, all else by one.
 */
final class NodeProcesses {
  /** How a line of a node that serves clients reads. */
  private static final String SERVES = "Startup complete";

  /** Exit codes of nodes that were stopped: in order, or by SIGINT or SIGTERM before they ran. */
  private static final Set<Integer> STOPPED = Set.of(0, 130, 143);

  private final Starter starter;
  private final PrintStream out;
  private final long graceMillis;
  private final List<Running> running = new ArrayList<>();
  private final AtomicInteger serving = new AtomicInteger();
  private int expected;
  private int alive;
  private boolean stopping;
  private boolean clean = true;

  /** Starts the processes of nodes. */
  interface Starter {
    /** Starts a node with this command line. */
    Child start(List<String> arguments) throws IOException;
  }

  /** The process of a node. Any thread. */
  interface Child {
    /** What it prints, to both of its streams, until its end. */
    InputStream output();

    /** Sends SIGTERM. */
    void terminate();

    /** Sends SIGKILL. */
    void kill();

    /** Waits until it has ended; returns its exit code. */
    int await() throws InterruptedException;

    /** The same for a limited time; false if it still runs. */
    boolean await(long nanos) throws InterruptedException;
  }

  private record Running(String name, Child child, Thread reader) {}

  /**
   * Nodes that have not been started.
   *
   * @param out where the output of all nodes goes
   * @param graceMillis how long a node may take to stop before it is killed
   */
  NodeProcesses(Starter starter, PrintStream out, long graceMillis) {
    this.starter = starter;
    this.out = out;
    this.graceMillis = graceMillis;
  }

  /**
   * Starts all nodes.
   *
   * @throws IOException if a process cannot be started; those before it have been stopped
   */
  void start(List<ClusterPlan.Member> members) throws IOException {
    expected = members.size();
    for (ClusterPlan.Member member : members) {
      try {
        if (!start(member)) {
          return;
        }
      } catch (IOException e) {
        stop();
        throw e;
      }
    }
  }

  /** Starts a node, unless all are to stop. */
  private synchronized boolean start(ClusterPlan.Member member) throws IOException {
    if (stopping) {
      return false;
    }
    Child child = starter.start(member.arguments());
    Thread reader = new Thread(() -> follow(member.name(), child), member.name());
    running.add(new Running(member.name(), child, reader));
    alive++;
    reader.start();
    return true;
  }

  /** Copies lines as the bytes that they are, whatever they encode. */
  private void follow(String name, Child child) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.ISO_8859_1))) {
      boolean serves = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        print(name + " | " + line);
        if (!serves && line.contains(SERVES)) {
          serves = true;
          if (serving.incrementAndGet() == expected) {
            print("helenus: all " + expected + " nodes serve clients; Ctrl-C stops them");
          }
        }
      }
    } catch (IOException e) {
      print("helenus: cannot read the output of " + name + ": " + e.getMessage());
    }
    ended(name, awaitEnd(child));
  }

  private static int awaitEnd(Child child) {
    while (true) {
      try {
        return child.await();
      } catch (InterruptedException e) {
        // nobody interrupts: the thread ends with the process
      }
    }
  }

  private void ended(String name, int code) {
    String more = "";
    synchronized (this) {
      alive--;
      if (stopping && STOPPED.contains(code)) {
        return;
      }
      if (stopping) {
        clean = false;
      } else if (alive > 0) {
        more = alive == 1 ? "; the other one goes on" : "; the others go on";
      }
    }
    print("helenus: " + name + " has ended with exit code " + code + more);
  }

  private void print(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  /**
   * Waits until all nodes have ended; true if they were stopped, and each that still ran did so in
   * order.
   */
  boolean await() throws InterruptedException {
    for (Running each : snapshot()) {
      each.reader.join();
    }
    return isCleanlyStopped();
  }

  private synchronized boolean isCleanlyStopped() {
    return stopping && clean;
  }

  /** Stops the nodes that run, and waits until all have ended; true if they did so in order. */
  boolean stop() {
    synchronized (this) {
      stopping = true;
    }
    List<Running> all = snapshot();
    all.forEach(each -> each.child.terminate());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
    try {
      for (Running each : all) {
        if (!each.child.await(deadline - System.nanoTime())) {
          print(
              "helenus: "
                  + each.name
                  + " has not stopped within "
                  + TimeUnit.MILLISECONDS.toSeconds(graceMillis)
                  + " s and is killed");
          each.child.kill();
        }
      }
      for (Running each : all) {
        each.reader.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return isCleanlyStopped();
  }

  private synchronized List<Running> snapshot() {
    return List.copyOf(running);
  }
}
