package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.simulation.RegisterHistory.Kind;
import io.helenus.server.simulation.RegisterHistory.Operation;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a node whose clients race for a few rows with conditional writes, while it flushes,
 * compacts, crashes and restarts. Each row is a register with a {@link RegisterHistory}.
 */
final class RegisterRun {
  private static final int CLIENTS = 12;
  private static final int ROWS = 4;

  private final CrashingNode node;
  private final SimRandomness choices;
  private final List<RegisterHistory> histories = new ArrayList<>();
  private final @Nullable Operation[] pending = new Operation[CLIENTS];
  private final @Nullable Integer[] lastSeen = new Integer[ROWS];
  private int nextValue;

  /** A node with an empty table. */
  RegisterRun(long seed, SimNode.Hooks hooks) {
    // two rows in each partition, so that rows share the queue of their partition
    node =
        new CrashingNode(
            seed, hooks, "CREATE TABLE r.r (k int, c int, v int, filler text, PRIMARY KEY (k, c))");
    choices = node.choices;
    for (int i = 0; i < ROWS; i++) {
      histories.add(new RegisterHistory());
    }
  }

  /** Runs some steps and returns the histories of the rows. */
  List<RegisterHistory> run(int steps) {
    node.run(steps, this::act);
    node.await(this::isIdle);
    for (int row = 0; row < ROWS; row++) {
      call(0, row, Kind.READ);
      node.await(this::isIdle);
    }
    node.stop();
    return histories;
  }

  private boolean isIdle() {
    for (Operation operation : pending) {
      if (operation != null) {
        return false;
      }
    }
    return true;
  }

  private void act() {
    int dice = choices.below(1_000);
    if (dice < 700) {
      int client = choices.below(CLIENTS);
      if (pending[client] == null) {
        call(client, choices.below(ROWS), kind());
      }
    } else if (dice < 970) {
      node.moveOn();
    } else if (dice < 980) {
      node.flush();
    } else if (dice < 985) {
      node.compact();
    } else if (dice < 993) {
      plainWrite();
    } else {
      crash();
    }
  }

  private Kind kind() {
    int dice = choices.below(100);
    return dice < 25 ? Kind.CREATE : dice < 75 ? Kind.SWAP : dice < 85 ? Kind.REMOVE : Kind.READ;
  }

  /** Writes another column of a row that no history is about. */
  private void plainWrite() {
    String cql = "UPDATE r.r SET filler = 'x' WHERE k = " + choices.below(ROWS / 2) + " AND c = 9";
    node.send(SimNode.Query.of(cql), response -> {});
  }

  private void call(int client, int row, Kind kind) {
    RegisterHistory history = histories.get(row);
    Integer expected = kind == Kind.SWAP ? lastSeen[row] : null;
    Integer value = kind == Kind.SWAP || kind == Kind.CREATE ? (Integer) nextValue++ : null;
    Operation operation = history.call(kind, expected, value);
    pending[client] = operation;
    String where = " WHERE k = " + row / 2 + " AND c = " + row % 2;
    String cql =
        switch (kind) {
          case CREATE ->
              "INSERT INTO r.r (k, c, v) VALUES (%d, %d, %d) IF NOT EXISTS"
                  .formatted(row / 2, row % 2, value);
          case SWAP -> "UPDATE r.r SET v = " + value + where + " IF v = " + expectedText(expected);
          case REMOVE -> "DELETE FROM r.r" + where + " IF EXISTS";
          case READ -> "SELECT v FROM r.r" + where;
        };
    SimNode.Query query =
        SimNode.Query.of(cql)
            .at(kind == Kind.READ ? ConsistencyLevel.SERIAL : ConsistencyLevel.QUORUM);
    node.send(
        query,
        response -> {
          pending[client] = null;
          answered(row, operation, kind, response);
        });
  }

  /** A value that no row has stands for null, which would create the row. */
  private static int expectedText(@Nullable Integer expected) {
    return expected == null ? -1 : expected;
  }

  private void answered(int row, Operation operation, Kind kind, Response response) {
    if (!(response instanceof Response.Rows rows)) {
      if (isUnknown(response)) {
        return;
      }
      throw new AssertionError(kind + ": " + response);
    }
    boolean applied = false;
    Integer seen = null;
    for (List<byte @Nullable []> each : rows.rows()) {
      if (kind != Kind.READ) {
        byte[] first = each.getFirst();
        applied = first != null && first[0] == 1;
      }
      for (int i = 0; i < rows.columns().size(); i++) {
        byte[] value = each.get(i);
        if (rows.columns().get(i).name().equals("v") && value != null) {
          seen = ByteBuffer.wrap(value).getInt();
        }
      }
    }
    // DELETE … IF EXISTS that was not applied saw no row
    histories.get(row).answered(operation, applied, seen);
    if (!applied) {
      lastSeen[row] = seen;
    } else if (kind != Kind.REMOVE) {
      lastSeen[row] = operation.value();
    }
  }

  private static boolean isUnknown(Response response) {
    // a timeout, or too many writes waiting
    return response instanceof Response.Failure failure
        && (failure.code() == 0x1100 || failure.code() == 0x1200 || failure.code() == 0x1001);
  }

  /** Without acknowledgement before a sync, a power loss may forget nothing that was answered. */
  private void crash() {
    histories.forEach(RegisterHistory::crashed);
    Arrays.fill(pending, null);
    node.crash(node.syncMode() != SyncMode.PERIODIC && choices.percent(50));
  }
}
