package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transcripts of truncations, without a node. */
class TruncateOperationTest {
  private static final Map<Integer, String> ACTIONS =
      Map.of(
          TruncateOperation.ANSWER, "answer",
          TruncateOperation.FAIL, "fail",
          TruncateOperation.TIME_OUT, "time out");

  private static final class Truncate extends TruncateOperation {
    private final Transcript transcript = new Transcript(ACTIONS);

    Truncate(int replicas) {
      super(first(replicas));
    }

    @Override
    void timedOut() {
      throw new AssertionError("a machine has no deadline of its own");
    }

    @Override
    RunningOperation describe(long runningNanos) {
      throw new AssertionError("a machine is in no list");
    }

    Truncate truncated(int replica) {
      transcript.add("truncated r" + replica, replicaTruncated(replica));
      return this;
    }

    Truncate failure() {
      transcript.add("abandoned", abandoned());
      return this;
    }

    Truncate deadline() {
      transcript.add("deadline", deadlinePassed());
      return this;
    }

    void decided(String expected) {
      assertEquals(expected, transcript.text());
    }
  }

  @Test
  void allReplicasMustTruncate() {
    new Truncate(1)
        .truncated(0)
        .deadline()
        .decided(
            """
            truncated r0 → answer
            deadline → wait
            """);
    new Truncate(3)
        .truncated(2)
        .truncated(2)
        .truncated(0)
        .truncated(1)
        .truncated(1)
        .decided(
            """
            truncated r2 → wait
            truncated r2 → wait
            truncated r0 → wait
            truncated r1 → answer
            truncated r1 → wait
            """);
  }

  @Test
  void theFirstFailureIsReported() {
    new Truncate(3)
        .truncated(0)
        .failure()
        .failure()
        .truncated(1)
        .truncated(2)
        .deadline()
        .decided(
            """
            truncated r0 → wait
            abandoned → fail
            abandoned → wait
            truncated r1 → wait
            truncated r2 → wait
            deadline → wait
            """);
  }

  @Test
  void aTimeoutSaysHowManyHaveRepliedAndLateRepliesChangeNothing() {
    Truncate truncate = new Truncate(2).truncated(1).deadline();
    assertEquals(1, truncate.received());
    truncate
        .truncated(0)
        .failure()
        .deadline()
        .decided(
            """
            truncated r1 → wait
            deadline → time out
            truncated r0 → wait
            abandoned → wait
            deadline → wait
            """);
  }
}
