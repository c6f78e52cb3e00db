package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transcripts of computed writes, without a node. */
class ComputedWriteOperationTest {
  private static final Map<Integer, String> ACTIONS =
      Map.of(
          ComputedWriteOperation.ANSWER, "answer",
          ComputedWriteOperation.FAIL, "fail",
          ComputedWriteOperation.TIME_OUT, "time out",
          ComputedWriteOperation.REPORT_UNAVAILABLE, "unavailable");

  private static final class Computed extends ComputedWriteOperation {
    private final Transcript transcript = new Transcript(ACTIONS);

    Computed(int required, int replicas, boolean commits) {
      super(required, first(replicas), commits);
    }

    @Override
    void timedOut() {
      throw new AssertionError("a machine has no deadline of its own");
    }

    @Override
    RunningOperation describe(long runningNanos) {
      throw new AssertionError("a machine is in no list");
    }

    Computed computed(int replica, boolean wrote) {
      transcript.add(
          (wrote ? "wrote r" : "not applied r") + replica, replicaComputed(replica, wrote));
      return this;
    }

    Computed failure(int replica) {
      transcript.add("failed r" + replica, replicaFailed(replica));
      return this;
    }

    Computed deadline() {
      transcript.add("deadline", deadlinePassed());
      return this;
    }

    void decided(String expected) {
      assertEquals(expected, transcript.text());
    }
  }

  @Test
  void theResultIsReportedOnce() {
    new Computed(1, 1, true)
        .computed(0, true)
        .computed(0, true)
        .failure(0)
        .deadline()
        .decided(
            """
            wrote r0 → answer
            wrote r0 → wait
            failed r0 → wait
            deadline → wait
            """);
  }

  @Test
  void theRequiredReplicasDecide() {
    new Computed(2, 3, true)
        .computed(1, true)
        .computed(1, true)
        .failure(0)
        .computed(2, true)
        .decided(
            """
            wrote r1 → wait
            wrote r1 → wait
            failed r0 → wait
            wrote r2 → answer
            """);
  }

  @Test
  void itFailsWhenTooFewCanDecide() {
    Computed write =
        new Computed(2, 3, true).failure(0).failure(0).computed(1, false).failure(2).deadline();
    write.decided(
        """
        failed r0 → wait
        failed r0 → wait
        not applied r1 → wait
        failed r2 → fail
        deadline → wait
        """);
    assertEquals(1, write.received());
    assertEquals(2, write.failures());
  }

  @Test
  void theLevelOfTheCommitIsCheckedOnlyIfSomethingWasWritten() {
    new Computed(1, 1, false)
        .computed(0, false)
        .decided(
            """
            not applied r0 → answer
            """);
    new Computed(1, 1, false)
        .computed(0, true)
        .decided(
            """
            wrote r0 → unavailable
            """);
  }

  @Test
  void lateRepliesChangeNothing() {
    new Computed(1, 1, true)
        .deadline()
        .deadline()
        .computed(0, true)
        .decided(
            """
            deadline → time out
            deadline → wait
            wrote r0 → wait
            """);
    new Computed(2, 3, false)
        .computed(0, true)
        .deadline()
        .failure(1)
        .computed(2, true)
        .decided(
            """
            wrote r0 → wait
            deadline → time out
            failed r1 → wait
            wrote r2 → wait
            """);
  }
}
