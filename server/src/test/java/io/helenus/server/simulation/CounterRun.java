package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a node whose clients increment a few counters, while it flushes, compacts, crashes and
 * restarts. Each increment of a counter adds another power of four, so that a digit of the counter
 * in base four shows how often the increment was made.
 */
final class CounterRun {
  private static final int CLIENTS = 12;
  private static final int COUNTERS = 4;
  private static final int DIGITS = 31;

  private final CrashingNode node;
  private final SimRandomness choices;
  private final Counter[] counters = new Counter[COUNTERS];
  private final @Nullable Increment[] pending = new Increment[CLIENTS];
  private int checked;

  private enum State {
    /** Sent, or it is unknown whether it was made. */
    UNKNOWN,
    /** Made: acknowledged, or seen by a read. */
    MADE,
    /** Not made: refused, or not seen by a read after a crash. */
    LOST
  }

  private static final class Increment {
    private State state = State.UNKNOWN;
  }

  /** What is known about a counter. */
  private static final class Counter {
    private final List<Increment> increments = new ArrayList<>();
  }

  /** A node with an empty table. */
  CounterRun(long seed, SimNode.Hooks hooks) {
    // two rows in each partition, so that counters share the queue of their partition
    node =
        new CrashingNode(
            seed, hooks, "CREATE TABLE r.r (k int, c int, n counter, PRIMARY KEY (k, c))");
    choices = node.choices;
    for (int i = 0; i < COUNTERS; i++) {
      counters[i] = new Counter();
    }
  }

  /** Runs some steps; returns how many increments were checked. */
  int run(int steps) {
    node.run(steps, this::act);
    node.await(this::isIdle);
    for (int i = 0; i < COUNTERS; i++) {
      check(i, true);
    }
    node.stop();
    return checked;
  }

  private boolean isIdle() {
    for (Increment increment : pending) {
      if (increment != null) {
        return false;
      }
    }
    return true;
  }

  private void act() {
    int dice = choices.below(1_000);
    if (dice < 600) {
      int client = choices.below(CLIENTS);
      if (pending[client] == null) {
        increment(client, choices.below(COUNTERS));
      }
    } else if (dice < 960) {
      node.moveOn();
    } else if (dice < 975) {
      node.flush();
    } else if (dice < 980) {
      node.compact();
    } else if (dice < 990) {
      node.await(this::isIdle);
      check(choices.below(COUNTERS), true);
    } else if (dice < 993) {
      node.await(this::isIdle);
      node.restart();
    } else {
      crash();
    }
  }

  private static String where(int counter) {
    return " WHERE k = " + counter / 2 + " AND c = " + counter % 2;
  }

  private void increment(int client, int index) {
    Counter counter = counters[index];
    if (counter.increments.size() == DIGITS) {
      if (node.syncMode() == SyncMode.PERIODIC) {
        return; // a power loss could undo the deletion
      }
      node.await(this::isIdle);
      check(index, true);
      Response deleted = node.require("DELETE FROM r.r" + where(index));
      assert deleted != null;
      counter.increments.clear();
    }
    long delta = 1L << (2 * counter.increments.size());
    Increment increment = new Increment();
    counter.increments.add(increment);
    pending[client] = increment;
    node.send(
        SimNode.Query.of("UPDATE r.r SET n = n + " + delta + where(index)),
        response -> {
          pending[client] = null;
          answered(increment, response);
        });
  }

  private static void answered(Increment increment, Response response) {
    if (!(response instanceof Response.Failure failure)) {
      increment.state = State.MADE;
    } else if (failure.code() == 0x1001) {
      increment.state = State.LOST; // too many writes are waiting
    } else if (failure.code() != 0x1100) {
      throw new AssertionError(response.toString());
    }
  }

  /**
   * Reads a counter and compares each of its digits with what is known.
   *
   * @param durable whether acknowledged increments must be there
   */
  private void check(int index, boolean durable) {
    long value = 0;
    if (node.require("SELECT n FROM r.r" + where(index)) instanceof Response.Rows rows
        && !rows.rows().isEmpty()) {
      byte[] read = rows.rows().getFirst().getFirst();
      value = read == null ? 0 : ByteBuffer.wrap(read).getLong();
    }
    List<Increment> increments = counters[index].increments;
    for (int i = 0; i < increments.size(); i++) {
      Increment increment = increments.get(i);
      int times = (int) (value >>> (2 * i)) & 3;
      boolean expected =
          switch (increment.state) {
            case MADE -> times == 1 || !durable && times == 0;
            case LOST -> times == 0;
            case UNKNOWN -> times <= 1;
          };
      if (!expected) {
        throw new AssertionError(
            "increment "
                + i
                + " ("
                + increment.state
                + ") was made "
                + times
                + " times: counter "
                + index
                + " is "
                + Long.toString(value, 4)
                + " in base four");
      }
      increment.state = times == 1 ? State.MADE : State.LOST;
      checked++;
    }
    if (increments.size() < DIGITS && value >>> (2 * increments.size()) != 0) {
      throw new AssertionError("counter " + index + " is " + Long.toString(value, 4));
    }
  }

  /** In periodic mode a power loss may undo acknowledged increments, but makes none twice. */
  private void crash() {
    boolean powerLost = choices.percent(50);
    Arrays.fill(pending, null);
    node.crash(powerLost);
    for (int i = 0; i < COUNTERS; i++) {
      check(i, !powerLost || node.syncMode() != SyncMode.PERIODIC);
    }
  }
}
