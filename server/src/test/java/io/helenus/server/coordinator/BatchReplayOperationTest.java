package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.coordinator.BatchReplayOperation.Step;
import org.junit.jupiter.api.Test;

/** Every sequence of outcomes of the replay of a batch log entry, without a node. */
class BatchReplayOperationTest {
  private final BatchReplayOperation replay = new BatchReplayOperation();

  @Test
  void theEntryIsRemovedWhenAllPartsAreApplied() {
    assertEquals(Step.WRITE_PARTS, replay.partsFound(3));
    assertEquals(Step.WAIT, replay.partWritten(2));
    assertEquals(Step.WAIT, replay.partWritten(0));
    assertEquals(Step.REMOVE_ENTRY, replay.partWritten(1));
    assertEquals(Step.REPORT_GONE, replay.entryRemoved());
    assertEquals(Step.WAIT, replay.entryRemoved());
  }

  @Test
  void aPartThatIsReportedTwiceCountsOnce() {
    assertEquals(Step.WRITE_PARTS, replay.partsFound(2));
    assertEquals(Step.WAIT, replay.partWritten(0));
    assertEquals(Step.WAIT, replay.partWritten(0));
    assertEquals(Step.WAIT, replay.partFailed(0));
    assertEquals(Step.REMOVE_ENTRY, replay.partWritten(1));
    assertEquals(Step.WAIT, replay.partWritten(1));
    assertEquals(Step.WAIT, replay.partFailed(1));
  }

  @Test
  void anEntryOfWhichNothingIsAppliedIsRemoved() {
    assertEquals(Step.REMOVE_ENTRY, replay.partsFound(0));
    assertEquals(Step.REPORT_GONE, replay.entryRemoved());
  }

  @Test
  void aPartThatFailsKeepsTheEntry() {
    assertEquals(Step.WRITE_PARTS, replay.partsFound(2));
    assertEquals(Step.REPORT_KEPT, replay.partFailed(1));
    assertEquals(Step.WAIT, replay.partWritten(0));
    assertEquals(Step.WAIT, replay.partWritten(1));
    assertEquals(Step.WAIT, replay.deadlinePassed());
  }

  @Test
  void whatCannotBeReadIsKept() {
    assertEquals(Step.REPORT_KEPT, replay.entryNotRead());
    assertEquals(Step.WAIT, replay.partsFound(2));
    BatchReplayOperation unreadable = new BatchReplayOperation();
    assertEquals(Step.REPORT_UNREADABLE, unreadable.entryUnreadable());
    assertEquals(Step.WAIT, unreadable.deadlinePassed());
  }

  @Test
  void anEntryThatIsNotThereIsGone() {
    assertEquals(Step.REPORT_GONE, replay.entryGone());
    assertEquals(Step.WAIT, replay.entryGone());
  }

  @Test
  void theDeadlineEndsEachState() {
    assertEquals(Step.CANCEL_READ_AND_REPORT_KEPT, replay.deadlinePassed());
    assertEquals(Step.WAIT, replay.deadlinePassed());
    assertEquals(Step.WAIT, replay.partsFound(1));
    assertEquals(Step.WAIT, replay.entryGone());

    BatchReplayOperation applying = new BatchReplayOperation();
    assertEquals(Step.WRITE_PARTS, applying.partsFound(1));
    assertEquals(Step.REPORT_KEPT, applying.deadlinePassed());
    assertEquals(Step.WAIT, applying.partWritten(0));

    BatchReplayOperation removing = new BatchReplayOperation();
    assertEquals(Step.REMOVE_ENTRY, removing.partsFound(0));
    assertEquals(Step.REPORT_KEPT, removing.deadlinePassed());
    assertEquals(Step.WAIT, removing.entryRemoved());
  }

  @Test
  void anEntryThatCannotBeRemovedIsKept() {
    assertEquals(Step.REMOVE_ENTRY, replay.partsFound(0));
    assertEquals(Step.REPORT_KEPT, replay.entryNotRemoved());
  }
}
