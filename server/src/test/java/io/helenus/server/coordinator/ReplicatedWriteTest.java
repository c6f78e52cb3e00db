package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.Members;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Transcripts of writes to replicas on several nodes: r0 is this node's, r1 and r2 are on others.
 * What is sent, what the replicas reply, and what the client is told.
 */
class ReplicatedWriteTest {
  private static final ConsistencyLevel QUORUM = ConsistencyLevel.QUORUM;

  private final Members members = new Members(new UUID(0, 1));
  private final List<Member> replicas =
      new ArrayList<>(
          List.of(members.local(), members.of(new UUID(0, 2)), members.of(new UUID(0, 3))));
  private final Links links = new Links();
  private final WriteFixture fixture = new WriteFixture(new Replicas(), links);
  private final List<String> transcript = fixture.answers.calls;

  ReplicatedWriteTest() {
    replicas.forEach(each -> each.up(true));
  }

  private final class Replicas implements Placement {
    @Override
    public int required(ConsistencyLevel level) {
      return switch (level) {
        case ONE -> 1;
        case QUORUM -> replicas.size() / 2 + 1;
        case ALL -> replicas.size();
        default -> throw new IllegalArgumentException("no test writes at " + level);
      };
    }

    @Override
    public ReplicaSet replicas(long token) {
      return new ReplicaSet(replicas, -1);
    }

    @Override
    public ReplicaSet everywhere() {
      return replicas(0);
    }

    @Override
    public long lastWithSameReplicas(long token) {
      return Long.MAX_VALUE;
    }
  }

  /** Notes what is sent. The id of a request is 100 more than the number of its replica. */
  private final class Links implements RemoteReplicas {
    private final Map<Integer, ReplyHandler> handlers = new TreeMap<>();
    private int down;

    @Override
    public long write(
        Member to,
        long token,
        MemorySegment mutation,
        long offset,
        int length,
        boolean repair,
        long remainingNanos,
        int tag,
        ReplyHandler reply) {
      assertEquals(replicas.get(tag), to);
      assertEquals(WriteFixture.TIMEOUT_NANOS, remainingNanos);
      if ((down & 1 << tag) != 0) {
        transcript.add("not sent to r" + tag);
        return NOT_SENT;
      }
      transcript.add("sent to r" + tag);
      TracedReply.sent(reply, "", "MUTATION", "r" + tag, length);
      handlers.put(tag, reply);
      return 100 + tag;
    }

    @Override
    public void forget(Member to, long id) {
      transcript.add("forget r" + (id - 100));
      assertEquals(replicas.get((int) id - 100), to);
      handlers.remove((int) id - 100);
    }

    @Override
    public long read(
        Member to,
        long firstToken,
        long lastToken,
        ReadRequest request,
        Read kind,
        int maxBytes,
        long remainingNanos,
        int tag,
        ReplyHandler reply) {
      throw new UnsupportedOperationException("no test reads");
    }

    @Override
    public @Nullable InetSocketAddress address(Member member) {
      return at(1 + replicas.indexOf(member));
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
      return at(1);
    }

    private static InetSocketAddress at(int number) {
      try {
        byte[] address = {127, 0, 0, (byte) number};
        return new InetSocketAddress(InetAddress.getByAddress(address), 7000);
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }

    private ReplyHandler take(int replica) {
      ReplyHandler handler = handlers.remove(replica);
      if (handler == null) {
        throw new AssertionError("nobody waits for r" + replica);
      }
      return handler;
    }
  }

  private ReplicatedWriteTest wrote(int replica) {
    transcript.add("r" + replica + " wrote:");
    if (replica == 0) {
      fixture.replica.reply().written(0);
    } else {
      links.take(replica).replied(replica, MemorySegment.NULL, 0, 0);
    }
    return this;
  }

  private ReplicatedWriteTest failed(int replica) {
    transcript.add("r" + replica + " failed:");
    if (replica == 0) {
      fixture.replica.reply().notWritten(new IllegalStateException("damaged"));
    } else {
      links.take(replica).failed(replica, RefusalCode.of(new IllegalStateException()), "damaged");
    }
    return this;
  }

  private ReplicatedWriteTest broke(int replica) {
    transcript.add("r" + replica + " broke:");
    links.take(replica).broken(replica);
    return this;
  }

  private ReplicatedWriteTest deadline() {
    transcript.add("deadline:");
    fixture.passDeadline();
    return this;
  }

  private void decided(String expected) {
    assertEquals(expected, String.join("\n", transcript) + "\n");
    assertEquals(List.of(), fixture.coordinator.running());
  }

  /** The pool hands out what it has, and then new buffers. */
  private void assertFree(ByteWriter mutation) {
    assertSame(mutation, fixture.coordinator.takeBuffer());
  }

  @Test
  void theClientIsAnsweredWhenEnoughHaveWritten() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(1);
    assertNotSame(mutation, fixture.coordinator.takeBuffer());
    wrote(0);
    assertFree(mutation);
    wrote(2)
        .decided(
            """
            sent to r1
            sent to r2
            r1 wrote:
            r0 wrote:
            written
            r2 wrote:
            """);
  }

  @Test
  void theMutationIsKeptForThisNodesReplica() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(1).wrote(2);
    assertNotSame(mutation, fixture.coordinator.takeBuffer());
    wrote(0);
    assertFree(mutation);
    decided(
        """
        sent to r1
        sent to r2
        r1 wrote:
        r2 wrote:
        written
        r0 wrote:
        """);
  }

  @Test
  void aReplicaThatIsDownIsSentNothing() {
    replicas.get(2).up(false);
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(0).wrote(1);
    assertFree(mutation);
    decided(
        """
        sent to r1
        r0 wrote:
        r1 wrote:
        written
        """);
  }

  @Test
  void tooFewReplicasAreRefusedBeforeAnythingIsSent() {
    replicas.get(2).up(false);
    ByteWriter mutation = fixture.write(ConsistencyLevel.ALL);
    assertFree(mutation);
    decided("Cannot achieve consistency level ALL\n");
  }

  @Test
  void aReplicaOfOthersOnly() {
    replicas.removeFirst();
    ByteWriter mutation = fixture.write(QUORUM);
    links.take(0).replied(0, MemorySegment.NULL, 0, 0);
    links.take(1).replied(1, MemorySegment.NULL, 0, 0);
    assertFree(mutation);
    decided(
        """
        sent to r0
        sent to r1
        written
        """);
  }

  @Test
  void aLinkThatDoesNotKeepUpIsAFailure() {
    links.down = 1 << 1 | 1 << 2;
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(0);
    assertFree(mutation);
    decided(
        """
        not sent to r1
        not sent to r2
        failure, 0 of 2, failed 2
        r0 wrote:
        """);
  }

  @Test
  void whatCanNoLongerSucceedFailsAtOnce() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(0).failed(1).failed(2);
    assertFree(mutation);
    decided(
        """
        sent to r1
        sent to r2
        r0 wrote:
        r1 failed:
        r2 failed:
        failure, 1 of 2, failed 2
        """);
    assertEquals(
        List.of("/127.0.0.2 0", "/127.0.0.3 0"), fixture.answers.reasons, "who failed and why");
  }

  @Test
  void aFailureOfThisNodeIsOneOfThem() {
    ByteWriter ignored = fixture.write(ConsistencyLevel.ALL);
    failed(0);
    wrote(1)
        .wrote(2)
        .decided(
            """
            sent to r1
            sent to r2
            r0 failed:
            failure, 0 of 3, failed 1
            r1 wrote:
            r2 wrote:
            """);
    assertEquals(List.of("/127.0.0.1 0"), fixture.answers.reasons);
  }

  @Test
  void aBrokenLinkLeavesTheOutcomeUnknown() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(0).broke(1).broke(2);
    assertFree(mutation);
    decided(
        """
        sent to r1
        sent to r2
        r0 wrote:
        r1 broke:
        r2 broke:
        timeout, 1 of 2
        """);
  }

  @Test
  void theOthersAreForgottenAtTheDeadline() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(0).deadline();
    assertFree(mutation);
    assertEquals(Map.of(), links.handlers);
    decided(
        """
        sent to r1
        sent to r2
        r0 wrote:
        deadline:
        forget r1
        forget r2
        timeout, 1 of 2
        """);
  }

  @Test
  void aReplicaThatNobodyWaitedForIsForgottenToo() {
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(1).wrote(0).deadline();
    assertFree(mutation);
    decided(
        """
        sent to r1
        sent to r2
        r1 wrote:
        r0 wrote:
        written
        deadline:
        forget r2
        """);
  }

  @Test
  void aMutationThatThisNodeIsReadingIsNotHandedOut() {
    fixture.replica.isReading = true;
    ByteWriter mutation = fixture.write(QUORUM);
    wrote(1).deadline();
    assertNotSame(mutation, fixture.coordinator.takeBuffer());
    fixture.replica.reply().released();
    assertFree(mutation);
    decided(
        """
        sent to r1
        sent to r2
        r1 wrote:
        deadline:
        forget r2
        timeout, 1 of 2
        """);
  }

  @Test
  void aTraceNamesWhatWasSentAndWhatCameBack() {
    List<String> events = new ArrayList<>();
    fixture.answers.trace = new Trace(events);
    ByteWriter mutation = fixture.write(QUORUM);
    int bytes = mutation.size();
    wrote(0).failed(1).broke(2);
    assertEquals(
        List.of(
            "Determining replicas for mutation",
            "Sending MUTATION_REQ message to r1 message size " + bytes + " bytes",
            "Sending MUTATION_REQ message to r2 message size " + bytes + " bytes",
            "Appending to commitlog",
            "Adding to table 101 memtable",
            "FAILURE_RSP message received from r1: damaged",
            "The link to r2 was closed before its response to MUTATION_REQ",
            "Timed out; received 1 of 2 responses"),
        events);
  }

  private record Trace(List<String> events) implements RequestTrace {
    @Override
    public String id() {
      return "a trace";
    }

    @Override
    public void putId(ByteWriter out) {
      throw new UnsupportedOperationException("no link needs it");
    }

    @Override
    public String table(int tableId) {
      return "table " + tableId;
    }

    @Override
    public void event(String activity) {
      events.add(activity);
    }

    @Override
    public void end() {
      throw new UnsupportedOperationException("whoever began it ends it");
    }
  }
}
