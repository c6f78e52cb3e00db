package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicatedReadOperation.Step;
import io.helenus.server.error.CqlError;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Transcripts of reads of several replicas, without a node. */
class ReplicatedReadOperationTest {
  private static final class Read extends ReplicatedReadOperation {
    private final StringBuilder transcript = new StringBuilder();

    private Read add(String input, Step step) {
      transcript.append(input).append(" → ").append(step.name().toLowerCase(Locale.ROOT));
      if (step == Step.SEND) {
        transcript.append(replicas(" data", dataFrom())).append(replicas(" digest", digestsFrom()));
      } else if (step == Step.REPAIR) {
        transcript.append(replicas("", repairing()));
      } else if (step == Step.MERGE) {
        transcript.append(replicas("", replied()));
      }
      transcript.append('\n');
      return this;
    }

    private static String replicas(String what, int set) {
      if (set == 0) {
        return "";
      }
      StringJoiner names = new StringJoiner(" ", what + " ", "");
      for (int i = 0; i < 32; i++) {
        if ((set & 1 << i) != 0) {
          names.add("r" + i);
        }
      }
      return names.toString();
    }

    Read start(int required, int live) {
      return add("begin", begin(required, live, 0, 1));
    }

    Read gotData(int replica) {
      return add("data r" + replica, data(replica));
    }

    Read gotDigest(int replica) {
      return add("digest r" + replica, digest(replica));
    }

    Read same(boolean equal) {
      return add(equal ? "equal" : "different", compared(equal));
    }

    Read merge(int lacking, boolean all) {
      return add(all ? "merged all" : "merged a part", merged(lacking, all));
    }

    Read gotRepaired(int replica) {
      return add("repaired r" + replica, repaired(replica));
    }

    Read failure(int replica) {
      return add("failed r" + replica, failed(replica));
    }

    Read broken(int replica) {
      return add("broken r" + replica, lost(replica));
    }

    Read deadline() {
      return add("deadline", deadlinePassed());
    }

    void decided(String expected) {
      assertEquals(expected, transcript.toString());
    }

    @Override
    public List<CqlError.FailureReason> reasons(int localReason) {
      throw new AssertionError("a machine reports no errors");
    }

    @Override
    void timedOut() {
      throw new AssertionError("a machine has no deadline of its own");
    }

    @Override
    RunningOperation describe(long runningNanos) {
      throw new AssertionError("a machine is in no list");
    }
  }

  private static Read quorumOfThree() {
    return new Read().start(2, 0b111);
  }

  @Test
  void equalDigestsMakeTheDataTheAnswer() {
    quorumOfThree()
        .gotDigest(1)
        .gotData(0)
        .same(true)
        .merge(0, true)
        .decided(
            """
            begin → send data r0 digest r1
            digest r1 → wait
            data r0 → compare
            equal → merge r0
            merged all → answer
            """);
  }

  @Test
  void differencesAreMergedAndRepairedBeforeTheAnswer() {
    quorumOfThree()
        .gotData(0)
        .gotDigest(1)
        .same(false)
        .gotData(1)
        .merge(0b10, true)
        .gotRepaired(0)
        .gotRepaired(1)
        .gotRepaired(1)
        .decided(
            """
            begin → send data r0 digest r1
            data r0 → wait
            digest r1 → compare
            different → send data r1
            data r1 → merge r0 r1
            merged all → repair r1
            repaired r0 → wait
            repaired r1 → answer
            repaired r1 → wait
            """);
  }

  @Test
  void itAsksOnUntilNothingIsLeftAndThenAllForData() {
    quorumOfThree()
        .gotData(0)
        .gotDigest(1)
        .same(false)
        .gotData(1)
        .merge(0b11, false)
        .gotRepaired(1)
        .gotRepaired(0)
        .start(2, 0b111)
        .gotData(0)
        .gotData(1)
        .merge(0, true)
        .decided(
            """
            begin → send data r0 digest r1
            data r0 → wait
            digest r1 → compare
            different → send data r1
            data r1 → merge r0 r1
            merged a part → repair r0 r1
            repaired r1 → wait
            repaired r0 → next
            begin → send data r0 r1
            data r0 → wait
            data r1 → merge r0 r1
            merged all → answer
            """);
  }

  @Test
  void theOthersAreAskedInTurn() {
    Read read = new Read();
    read.add("begin", read.begin(2, 0b111, 0, 2));
    read.add("begin", read.begin(3, 0b1101, 1, 3));
    read.decided(
        """
        begin → send data r0 digest r2
        begin → send data r2 digest r0 r3
        """);
  }

  @Test
  void oneReplicaNeedsNoDigest() {
    new Read()
        .start(1, 0b110)
        .gotData(1)
        .merge(0, true)
        .decided(
            """
            begin → send data r1
            data r1 → merge r1
            merged all → answer
            """);
  }

  @Test
  void aBrokenReplicaIsReplaced() {
    quorumOfThree()
        .broken(0)
        .gotData(0)
        .gotDigest(1)
        .gotData(2)
        .same(true)
        .merge(0, true)
        .decided(
            """
            begin → send data r0 digest r1
            broken r0 → send data r2
            data r0 → wait
            digest r1 → wait
            data r2 → compare
            equal → merge r2
            merged all → answer
            """);
  }

  @Test
  void withoutAReplacementItFailsOrTimesOut() {
    new Read()
        .start(2, 0b11)
        .failure(1)
        .gotData(0)
        .decided(
            """
            begin → send data r0 digest r1
            failed r1 → fail
            data r0 → wait
            """);
    new Read()
        .start(2, 0b11)
        .broken(1)
        .decided(
            """
            begin → send data r0 digest r1
            broken r1 → time_out
            """);
    Read twice = quorumOfThree().failure(0).failure(2);
    twice.decided(
        """
        begin → send data r0 digest r1
        failed r0 → send data r2
        failed r2 → fail
        """);
    assertEquals(2, twice.failures());
  }

  @Test
  void aRepairThatFailsEndsTheRead() {
    quorumOfThree()
        .gotData(0)
        .gotDigest(1)
        .same(false)
        .gotData(1)
        .merge(0b10, true)
        .broken(1)
        .decided(
            """
            begin → send data r0 digest r1
            data r0 → wait
            digest r1 → compare
            different → send data r1
            data r1 → merge r0 r1
            merged all → repair r1
            broken r1 → time_out
            """);
  }

  @Test
  void repliesAfterTheDeadlineAreIgnoredAndDuplicatesDoNotCount() {
    quorumOfThree()
        .gotData(0)
        .gotData(0)
        .gotDigest(0)
        .deadline()
        .gotDigest(1)
        .deadline()
        .decided(
            """
            begin → send data r0 digest r1
            data r0 → wait
            data r0 → wait
            digest r0 → wait
            deadline → time_out
            digest r1 → wait
            deadline → wait
            """);
  }

  @Test
  void aReadThatIsTooLateToBeginKnowsHowManyRepliesItNeeded() {
    Read read = new Read();
    read.require(2);
    read.deadline().decided("deadline → time_out\n");
    assertEquals(2, read.required());
    assertEquals(0, read.received());
  }

  @Test
  void onlyAReplicaWhoseReplyIsWaitedForCanFail() {
    Read read = quorumOfThree();
    assertTrue(read.isAwaited(0));
    assertTrue(read.isAwaited(1));
    assertFalse(read.isAwaited(2));
    Read failed = read.failure(1);
    assertFalse(failed.isAwaited(1));
    assertTrue(failed.isAwaited(2));
    assertEquals(1, failed.failures());
  }
}
