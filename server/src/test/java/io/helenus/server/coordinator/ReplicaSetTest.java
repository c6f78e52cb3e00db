package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.Members;
import io.helenus.server.error.CqlError;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which replicas are said to be asked are those that a read asks. */
class ReplicaSetTest {
  private final Members members = new Members(new UUID(0, 1));
  private final List<Member> others =
      List.of(members.of(new UUID(0, 2)), members.of(new UUID(0, 3)), members.of(new UUID(0, 4)));

  private static final class Read extends ReplicatedReadOperation {
    @Override
    void timedOut() {}

    @Override
    void stopped() {}

    @Override
    RunningOperation describe(long runningNanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<CqlError.FailureReason> reasons(int localReason) {
      return List.of();
    }
  }

  private void check(List<Member> replicas) {
    ReplicaSet set = new ReplicaSet(replicas, -1);
    for (int up = 0; up < 1 << others.size(); up++) {
      for (int i = 0; i < others.size(); i++) {
        others.get(i).up((up & 1 << i) != 0);
      }
      for (int needed = 1; needed <= Integer.bitCount(set.live()); needed++) {
        for (long token = -5; token < 5; token++) {
          Read read = new Read();
          int turn = set.turn(token);
          assertEquals(
              ReplicatedReadOperation.Step.SEND,
              read.begin(needed, set.live(), set.first(turn), turn));
          assertEquals(read.dataFrom(), set.askedForData(token));
          assertEquals(read.dataFrom() | read.digestsFrom(), set.asked(needed, token));
        }
      }
    }
  }

  @Test
  void thoseThatAReadAsksAreNamed() {
    check(others);
    check(List.of(members.local(), others.get(0), others.get(2)));
    check(List.of(others.get(1)));
  }
}
