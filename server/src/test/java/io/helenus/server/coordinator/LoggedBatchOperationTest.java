package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.coordinator.LoggedBatchOperation.Step;
import org.junit.jupiter.api.Test;

/** Every sequence of outcomes of a logged batch, without a node. */
class LoggedBatchOperationTest {
  private final LoggedBatchOperation batch = new LoggedBatchOperation(2);

  @Test
  void theClientIsAnsweredWhenAllPartsAreWrittenAndTheEntryIsRemoved() {
    assertEquals(Step.WRITE_PARTS, batch.entryStored());
    assertEquals(Step.WAIT, batch.partWritten());
    assertEquals(Step.REMOVE_ENTRY, batch.partWritten());
    assertEquals(Step.CONFIRM, batch.entryRemovalEnded());
  }

  @Test
  void noPartIsWrittenWithoutAnEntry() {
    assertEquals(Step.REPORT_FAILURE, batch.entryNotStored());
    assertEquals(Step.WAIT, batch.entryStored());
  }

  @Test
  void theFirstFailureIsReportedAndTheEntryStays() {
    assertEquals(Step.WRITE_PARTS, batch.entryStored());
    assertEquals(Step.REPORT_FAILURE, batch.partFailed());
    assertEquals(Step.WAIT, batch.partFailed());
    assertEquals(Step.WAIT, batch.partWritten());
  }

  @Test
  void aPartThatIsWrittenLateCompletesTheBatchSilently() {
    assertEquals(Step.WRITE_PARTS, batch.entryStored());
    assertEquals(Step.WAIT, batch.partWritten());
    assertEquals(Step.REPORT_FAILURE, batch.partFailed());
    assertEquals(Step.REMOVE_ENTRY, batch.partWritten());
    assertEquals(Step.WAIT, batch.entryRemovalEnded());
  }
}
