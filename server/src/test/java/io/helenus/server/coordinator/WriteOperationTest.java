package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transcripts of writes to one and to several replicas, without a node. */
class WriteOperationTest {
  private static final Map<Integer, String> ACTIONS =
      Map.of(
          WriteOperation.ANSWER, "answer",
          WriteOperation.FAIL, "fail",
          WriteOperation.TIME_OUT, "time out",
          WriteOperation.ANSWER_LATE, "answer late",
          WriteOperation.WITHDRAW, "withdraw",
          WriteOperation.RELEASE, "release");

  private static final class Write extends WriteOperation {
    private final Transcript transcript = new Transcript(ACTIONS);

    Write(int required, int replicas) {
      super(required, first(replicas));
    }

    @Override
    void timedOut() {
      throw new AssertionError("a machine has no deadline of its own");
    }

    @Override
    RunningOperation describe(long runningNanos) {
      throw new AssertionError("a machine is in no list");
    }

    Write written(int replica) {
      transcript.add("written r" + replica, replicaWrote(replica));
      return this;
    }

    Write broken(int replica) {
      transcript.add("broken r" + replica, replicaLost(replica));
      return this;
    }

    Write failure(int replica) {
      transcript.add("failed r" + replica, replicaFailed(replica));
      return this;
    }

    Write deadline() {
      transcript.add("deadline", deadlinePassed());
      return this;
    }

    Write takenBack() {
      transcript.add("withdrawn", withdrawn());
      return this;
    }

    void decided(String expected) {
      assertEquals(expected, transcript.text());
    }

    void counted(String expected) {
      assertEquals(
          expected, received() + " of " + required() + " received, " + failures() + " failed");
    }
  }

  private static Write one() {
    return new Write(1, 1);
  }

  private static Write quorumOfThree() {
    return new Write(2, 3);
  }

  @Test
  void theOnlyReplicaAnswersAndReleases() {
    one()
        .written(0)
        .decided(
            """
            written r0 → answer, release
            """);
    Write refused = one().failure(0);
    refused.decided(
        """
        failed r0 → fail, release
        """);
    refused.counted("0 of 1 received, 1 failed");
  }

  @Test
  void aQuorumAnswersAndReleasesAsOnlyThisNodeReadsTheMutation() {
    quorumOfThree()
        .written(0)
        .written(1)
        .written(2)
        .decided(
            """
            written r0 → wait
            written r1 → answer, release
            written r2 → wait
            """);
    quorumOfThree()
        .written(2)
        .written(1)
        .written(0)
        .decided(
            """
            written r2 → wait
            written r1 → answer
            written r0 → release
            """);
  }

  @Test
  void aBrokenLinkIsNeitherSuccessNorFailure() {
    quorumOfThree()
        .broken(2)
        .written(2)
        .written(0)
        .written(1)
        .decided(
            """
            broken r2 → wait
            written r2 → wait
            written r0 → wait
            written r1 → answer, release
            """);
    Write write = quorumOfThree().written(0).broken(1).broken(2);
    write.decided(
        """
        written r0 → wait
        broken r1 → wait
        broken r2 → time out, release
        """);
    write.counted("1 of 2 received, 0 failed");
  }

  @Test
  void aDuplicateDoesNotCountTwice() {
    Write write = quorumOfThree().written(1).written(1).failure(1).written(2).written(2).failure(0);
    write.decided(
        """
        written r1 → wait
        written r1 → wait
        failed r1 → wait
        written r2 → answer
        written r2 → wait
        failed r0 → release
        """);
    write.counted("2 of 2 received, 1 failed");
  }

  @Test
  void oneFailureOfThreeDoesNotMatterToAQuorum() {
    quorumOfThree()
        .failure(0)
        .written(0)
        .written(1)
        .written(2)
        .decided(
            """
            failed r0 → wait
            written r0 → wait
            written r1 → wait
            written r2 → answer, release
            """);
  }

  @Test
  void itFailsAsSoonAsTheRequiredRepliesCannotBeReached() {
    Write write = quorumOfThree().written(2).failure(0).failure(1);
    write.decided(
        """
        written r2 → wait
        failed r0 → wait
        failed r1 → fail, release
        """);
    write.counted("1 of 2 received, 2 failed");
    new Write(3, 3)
        .failure(1)
        .written(0)
        .written(2)
        .decided(
            """
            failed r1 → fail
            written r0 → release
            written r2 → wait
            """);
  }

  @Test
  void theDeadlineFreesTheMutationEvenIfNoReplyEverComes() {
    Write write = quorumOfThree().deadline().takenBack();
    write.decided(
        """
        deadline → time out, withdraw
        withdrawn → release
        """);
    write.counted("0 of 2 received, 0 failed");
  }

  @Test
  void aTimeoutSaysHowManyHaveReplied() {
    Write write = quorumOfThree().written(2).failure(1).deadline();
    write.decided(
        """
        written r2 → wait
        failed r1 → wait
        deadline → time out, withdraw
        """);
    write.counted("1 of 2 received, 1 failed");
  }

  @Test
  void theDeadlineAfterTheAnswerOnlyFreesTheMutation() {
    quorumOfThree()
        .written(2)
        .written(1)
        .deadline()
        .takenBack()
        .written(0)
        .decided(
            """
            written r2 → wait
            written r1 → answer
            deadline → withdraw
            withdrawn → release
            written r0 → wait
            """);
  }

  @Test
  void theDeadlineAfterTheLastReplyChangesNothing() {
    one()
        .written(0)
        .deadline()
        .takenBack()
        .decided(
            """
            written r0 → answer, release
            deadline → wait
            withdrawn → wait
            """);
  }

  @Test
  void lateRepliesReportOnceThatTheWriteIsThereAfterAll() {
    quorumOfThree()
        .written(0)
        .deadline()
        .takenBack()
        .written(1)
        .written(1)
        .written(2)
        .decided(
            """
            written r0 → wait
            deadline → time out, withdraw
            withdrawn → release
            written r1 → answer late
            written r1 → wait
            written r2 → wait
            """);
    one()
        .deadline()
        .takenBack()
        .failure(0)
        .decided(
            """
            deadline → time out, withdraw
            withdrawn → release
            failed r0 → wait
            """);
  }

  @Test
  void aReplicaThatStillReadsAtTheDeadlineReleasesLater() {
    one()
        .deadline()
        .written(0)
        .takenBack()
        .decided(
            """
            deadline → time out, withdraw
            written r0 → answer late, release
            withdrawn → wait
            """);
  }

  @Test
  void whatCannotBeCountedIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Write(33, 32));
    assertThrows(IllegalArgumentException.class, () -> new Write(-1, 1));
    Write all = new Write(32, 32);
    for (int i = 31; i > 0; i--) {
      assertEquals(WriteOperation.WAIT, all.replicaWrote(i));
    }
    assertEquals(WriteOperation.ANSWER | WriteOperation.RELEASE, all.replicaWrote(0));
  }
}
