package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.row.MutationWriter;
import org.junit.jupiter.api.Test;

class BatchLogEntriesTest {
  private static final long WRITE_TIMEOUT = 2_000_000_000L;

  private final SimWorld world = new SimWorld(1);
  private final Shard shard =
      new Shard(
          0,
          world.scheduler("shard"),
          world.clock(),
          failure -> {
            throw new AssertionError(failure);
          });
  private final BatchLogEntries entries =
      new BatchLogEntries(
          shard,
          new TokenSlices(new ShardMap(2)),
          world.clock(),
          world.randomness(),
          WRITE_TIMEOUT);

  private BatchId store(long token) {
    BatchId id = entries.newId(token);
    ByteWriter entry = new ByteWriter(16).putLong(1);
    entries.storeWith(id, entry.segment(), entry.size(), new MutationWriter(new ByteWriter(128)));
    return id;
  }

  @Test
  void idsOfASliceShareItsLastTokenAndAscend() {
    BatchId first = entries.newId(-7);
    BatchId second = entries.newId(-9);
    BatchId other = entries.newId(5);
    assertEquals(-1, first.token());
    assertEquals(new BatchId(-1, first.high(), first.low() + 1), second);
    assertEquals(new BatchId(Long.MAX_VALUE, first.high(), first.low() + 2), other);
  }

  @Test
  void theTableMayHoldEntriesUntilThoseOfThePreviousRunAreKnown() {
    assertTrue(entries.mayHoldEntries());
    entries.complete();
    assertFalse(entries.mayHoldEntries());
  }

  @Test
  void anEntryIsHeldFromTheWriteThatStoresItUntilItIsForgotten() {
    entries.complete();
    BatchId id = store(1);
    assertTrue(entries.mayHoldEntries());
    entries.notStored(id);
    assertFalse(entries.mayHoldEntries());
    entries.stored(store(1));
    assertTrue(entries.mayHoldEntries());
  }

  @Test
  void anEntryIsDueAfterTwiceTheWriteTimeout() {
    BatchId id = store(1);
    long storedAt = shard.nanos();
    assertNull(entries.firstDue(storedAt + 2 * WRITE_TIMEOUT - 1));
    assertEquals(id, entries.firstDue(storedAt + 2 * WRITE_TIMEOUT));
  }

  @Test
  void anEntryThatIsRetriedComesAfterTheOthers() {
    BatchId first = store(1);
    BatchId second = store(1);
    entries.retryAt(first, 0);
    assertEquals(second, entries.firstDue(Long.MAX_VALUE));
  }

  @Test
  void anEntryThatCannotBeReplayedIsStillInTheTable() {
    entries.complete();
    BatchId id = store(1);
    entries.setAside(id);
    assertNull(entries.firstDue(Long.MAX_VALUE));
    assertTrue(entries.mayHoldEntries());
  }

  @Test
  void entriesBeyondTheLimitAreFoundInTheTable() {
    entries.complete();
    for (int i = 0; i < BatchLogEntries.REMEMBERED_LIMIT; i++) {
      entries.remember(new BatchId(1, 1, i), 0);
    }
    assertEquals(0, entries.room());
    assertFalse(entries.isIncomplete());
    store(1);
    assertTrue(entries.isIncomplete());
  }
}
