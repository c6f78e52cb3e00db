package io.helenus.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.storage.env.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors on a shard's event loop halt the node; the loop itself would discard them. */
class ShardTest {
  private final SimWorld world = new SimWorld(1);
  private final List<Throwable> halts = new ArrayList<>();
  private final Shard shard = shard(0);
  private final Error error = new AssertionError("broken");

  private Shard shard(int index) {
    return new Shard(index, world.scheduler("shard-" + index), world.clock(), halts::add);
  }

  private void fail() {
    throw error;
  }

  private void assertHalted() {
    assertThrows(AssertionError.class, () -> world.runFor(1_000_000_000L));
    assertEquals(List.of(error), halts);
  }

  @Test
  void anErrorInATaskHalts() {
    shard.execute(this::fail);
    assertHalted();
  }

  @Test
  void anErrorInATimerHalts() {
    shard.schedule(this::fail, 1_000);
    assertHalted();
  }

  @Test
  void anErrorInAMessageFromAnotherShardHalts() {
    shard(1).send(shard, this::fail);
    assertHalted();
  }

  @Test
  void anErrorInTheLogWriteHaltsBeforeResponsesAreSent() {
    List<String> order = new ArrayList<>();
    shard.logWrite(this::fail);
    shard.onTickEnd(() -> order.add("answers leave"));
    shard.execute(() -> order.add("task"));
    assertHalted();
    assertEquals(List.of("task"), order);
  }

  @Test
  void anErrorAtTheEndOfATickHalts() {
    shard.onTickEnd(this::fail);
    shard.tick();
    assertHalted();
  }

  @Test
  void aTickEndsInTheOrderThatPromisesNothingTooEarly() {
    List<String> order = new ArrayList<>();
    Shard other = shard(1);
    shard.onTickEnd(() -> order.add("replies"));
    shard.logWrite(() -> order.add("log"));
    shard.beforeLogWrite(() -> order.add("requests"));
    shard.execute(() -> shard.send(other, () -> order.add("message")));
    world.runUntil(() -> order.size() == 4);
    assertEquals(List.of("requests", "log", "replies", "message"), order);
  }
}
