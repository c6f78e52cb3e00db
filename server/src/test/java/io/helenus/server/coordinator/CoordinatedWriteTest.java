package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.server.cluster.Members;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who has the memory of a mutation, and what remains of a write whose reply never comes. */
class CoordinatedWriteTest {
  private final WriteFixture fixture = new WriteFixture(new OneReplica(), RemoteReplicas.NONE);
  private final Coordinator coordinator = fixture.coordinator;
  private final WriteFixture.SilentReplica replica = fixture.replica;
  private final WriteFixture.Answers answers = fixture.answers;

  private static final class OneReplica implements Placement {
    private static final ReplicaSet LOCAL_ONLY =
        new ReplicaSet(List.of(new Members(new UUID(0, 1)).local()), 1);

    @Override
    public int required(ConsistencyLevel level) {
      return 1;
    }

    @Override
    public ReplicaSet replicas(long token) {
      return LOCAL_ONLY;
    }

    @Override
    public ReplicaSet everywhere() {
      return LOCAL_ONLY;
    }

    @Override
    public long lastWithSameReplicas(long token) {
      return Long.MAX_VALUE;
    }
  }

  private ByteWriter write() {
    return fixture.write(ConsistencyLevel.ONE);
  }

  private void passDeadline() {
    fixture.passDeadline();
  }

  /** The pool hands out what it has, and then new buffers. */
  private void assertPooledOnce(ByteWriter buffer) {
    assertSame(buffer, coordinator.takeBuffer());
    assertNotSame(buffer, coordinator.takeBuffer());
  }

  @Test
  void aReplyFreesTheMutation() {
    ByteWriter buffer = write();
    assertEquals(1, coordinator.running().size());
    replica.reply().written(0);
    assertEquals(List.of("written"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertPooledOnce(buffer);
    assertEquals(0, replica.withdrawals);
  }

  @Test
  void aFailureFreesTheMutation() {
    ByteWriter buffer = write();
    replica.reply().notWritten(new IllegalStateException("damaged"));
    assertEquals(List.of("failure, 0 of 1, failed 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertPooledOnce(buffer);
  }

  @Test
  void aReplyThatNeverComesLeavesNothing() {
    ByteWriter buffer = write();
    passDeadline();
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertEquals(1, replica.withdrawals);
    assertPooledOnce(buffer);
  }

  @Test
  void aLateReplyIsHarmless() {
    ByteWriter buffer = write();
    passDeadline();
    replica.reply().written(0);
    replica.reply().written(0);
    assertEquals(List.of("timeout, 0 of 1", "written late"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void aLateFailureIsHarmless() {
    ByteWriter buffer = write();
    passDeadline();
    replica.reply().notWritten(new IllegalStateException("damaged"));
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void aMutationThatIsBeingReadIsNotHandedOut() {
    replica.isReading = true;
    ByteWriter buffer = write();
    passDeadline();
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertNotSame(buffer, coordinator.takeBuffer());
    replica.reply().released();
    assertPooledOnce(buffer);
  }

  @Test
  void aReplyFreesAMutationThatWasBeingReadAtTheDeadline() {
    replica.isReading = true;
    ByteWriter buffer = write();
    passDeadline();
    assertNotSame(buffer, coordinator.takeBuffer());
    replica.reply().written(0);
    assertEquals(List.of("timeout, 0 of 1", "written late"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void manyLostRepliesNeedOneBuffer() {
    ByteWriter buffer = write();
    passDeadline();
    for (int i = 0; i < 100; i++) {
      assertSame(buffer, write());
      passDeadline();
    }
    assertEquals(List.of(), coordinator.running());
  }
}
