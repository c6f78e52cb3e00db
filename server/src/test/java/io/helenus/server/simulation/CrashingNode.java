package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A node in a simulated world that is stopped, killed and started again with another number of
 * shards, and the random choices of the run it belongs to. Single-threaded.
 */
final class CrashingNode {
  private static final int[] SHARDS = {1, 2, 4};
  private static final int MOST_STEPS = 30;

  /** The random choices of the run. */
  final SimRandomness choices;

  private final SimWorld world;
  private final SimFileSystem disk;
  private final SyncMode syncMode;
  private final SimNode.Hooks hooks;
  private SimNode node;
  private int life;

  /** Starts a node with a keyspace {@code r} and one table. */
  CrashingNode(long seed, SimNode.Hooks hooks, String createTable) {
    this.hooks = hooks;
    world = new SimWorld(seed);
    choices = new SimRandomness(seed ^ 0x5DEECE66DL);
    disk = new SimFileSystem(choices.split());
    syncMode = SyncMode.values()[choices.below(3)];
    node = started();
    Response keyspace =
        require(
            "CREATE KEYSPACE r WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
                + " 1}");
    Response table = require(createTable);
    assert keyspace != table;
  }

  private SimNode started() {
    life++;
    return new SimNode(world, hooks.files(disk), SHARDS[choices.below(3)], syncMode, hooks);
  }

  SyncMode syncMode() {
    return syncMode;
  }

  /** Runs a statement that must succeed. */
  Response require(String cql) {
    Response[] answer = new Response[1];
    Runnable unused = node.query(0, SimNode.Query.of(cql), response -> answer[0] = response);
    assert unused != null;
    node.await(() -> answer[0] != null);
    if (answer[0] == null || answer[0] instanceof Response.Failure) {
      throw new AssertionError(cql + ": " + answer[0]);
    }
    return answer[0];
  }

  /** Sends a statement to any shard; answers that arrive after a crash are dropped. */
  void send(SimNode.Query query, Consumer<Response> answered) {
    int sent = life;
    Runnable unused =
        node.query(
            choices.below(node.shards()),
            query,
            response -> {
              if (life == sent) {
                answered.accept(response);
              }
            });
    assert unused != null;
  }

  /** Acts this many times; fails if the node stops itself. */
  void run(int steps, Runnable act) {
    for (int i = 0; i < steps; i++) {
      act.run();
      if (node.fatal != null) {
        throw new AssertionError("the node stopped", node.fatal);
      }
    }
  }

  void await(BooleanSupplier condition) {
    node.await(condition);
  }

  void stop() {
    node.stop();
  }

  /** Lets the world make a few steps. */
  void moveOn() {
    for (int i = choices.below(MOST_STEPS); i > 0 && world.step(); i--) {
      // the world has moved on
    }
  }

  void flush() {
    node.flush();
  }

  void compact() {
    var unused = node.compact();
    assert unused != null;
  }

  void restart() {
    node.stop();
    node = started();
  }

  /** Kills the process, or cuts the power of the machine, and starts again. */
  void crash(boolean losePower) {
    world.forgetTasks();
    if (losePower) {
      disk.losePower();
    } else {
      disk.killProcess();
    }
    node = started();
  }
}
