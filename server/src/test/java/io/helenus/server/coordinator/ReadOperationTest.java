package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transcripts of reads from one and from several replicas, without a node. */
class ReadOperationTest {
  private static final Map<Integer, String> ACTIONS =
      Map.of(
          ReadOperation.ANSWER, "answer",
          ReadOperation.FAIL, "fail",
          ReadOperation.TIME_OUT, "time out",
          ReadOperation.REPORT_STOP, "report stop",
          ReadOperation.CANCEL, "cancel",
          ReadOperation.RELEASE, "release");

  private static final class Read extends ReadOperation {
    private final Transcript transcript = new Transcript(ACTIONS);

    Read(int required, int replicas) {
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

    Read read(int replica) {
      transcript.add("read r" + replica, replicaRead(replica));
      return this;
    }

    Read failure(int replica) {
      transcript.add("failed r" + replica, replicaFailed(replica));
      return this;
    }

    Read released(int replica) {
      transcript.add("released r" + replica, replicaReleased(replica));
      return this;
    }

    Read deadline() {
      transcript.add("deadline", deadlinePassed());
      return this;
    }

    Read stop() {
      transcript.add("stop", nodeStops());
      return this;
    }

    Read cancel() {
      transcript.add("cancel", cancelled());
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

  private static Read one() {
    return new Read(1, 1);
  }

  private static Read quorumOfThree() {
    return new Read(2, 3);
  }

  @Test
  void theOnlyReplicaAnswers() {
    one()
        .read(0)
        .read(0)
        .deadline()
        .stop()
        .cancel()
        .decided(
            """
            read r0 → answer
            read r0 → wait
            deadline → wait
            stop → wait
            cancel → wait
            """);
  }

  @Test
  void aQuorumAnswersAndStopsTheOthers() {
    quorumOfThree()
        .read(1)
        .read(1)
        .read(0)
        .released(2)
        .decided(
            """
            read r1 → wait
            read r1 → wait
            read r0 → answer, cancel
            released r2 → wait
            """);
    new Read(2, 2)
        .read(0)
        .read(1)
        .decided(
            """
            read r0 → wait
            read r1 → answer
            """);
  }

  @Test
  void aFailureIsReportedWhenNoOtherReplicaCanMakeUpForIt() {
    one()
        .failure(0)
        .released(0)
        .released(0)
        .decided(
            """
            failed r0 → fail
            released r0 → release
            released r0 → wait
            """);
    Read read = quorumOfThree().failure(0).released(0).read(0).read(2).failure(1);
    read.decided(
        """
        failed r0 → wait
        released r0 → wait
        read r0 → wait
        read r2 → wait
        failed r1 → fail
        """);
    read.counted("1 of 2 received, 2 failed");
    new Read(3, 3)
        .failure(0)
        .released(0)
        .released(1)
        .released(2)
        .decided(
            """
            failed r0 → fail, cancel
            released r0 → wait
            released r1 → wait
            released r2 → release
            """);
  }

  @Test
  void aFailureBeforeTwoSuccessesDoesNotMatterToAQuorum() {
    Read read = quorumOfThree().failure(2).read(1).read(0);
    read.decided(
        """
        failed r2 → wait
        read r1 → wait
        read r0 → answer
        """);
    read.counted("2 of 2 received, 1 failed");
  }

  @Test
  void theDeadlineStopsTheReplicasThatAreStillReading() {
    one()
        .deadline()
        .deadline()
        .released(0)
        .decided(
            """
            deadline → time out, cancel
            deadline → wait
            released r0 → release
            """);
    Read read = quorumOfThree().read(0).deadline().released(1).released(2);
    read.decided(
        """
        read r0 → wait
        deadline → time out, cancel
        released r1 → wait
        released r2 → release
        """);
    assertEquals(1, read.received());
  }

  @Test
  void aCancelledReadIsNotAnswered() {
    quorumOfThree()
        .cancel()
        .failure(0)
        .released(0)
        .read(1)
        .released(2)
        .deadline()
        .decided(
            """
            cancel → cancel
            failed r0 → wait
            released r0 → wait
            read r1 → wait
            released r2 → release
            deadline → wait
            """);
  }

  @Test
  void aReplyThatCrossesTheCancellationReleases() {
    one()
        .cancel()
        .read(0)
        .released(0)
        .decided(
            """
            cancel → cancel
            read r0 → release
            released r0 → wait
            """);
  }

  @Test
  void aNodeThatStopsSaysSoOnce() {
    one()
        .stop()
        .deadline()
        .released(0)
        .decided(
            """
            stop → report stop, cancel
            deadline → wait
            released r0 → release
            """);
  }
}
