package io.helenus.server.simulation.cluster;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Which replicas the coordinators of a run reach: what is for others is not sent, as if the link
 * had just broken, so that one write can miss a replica and the next one need not wait until the
 * links are there again. Counts what is asked of the replicas.
 */
final class CutReplicas {
  private final boolean[] cut;
  private final int[] dataReads;
  private int inFlight;
  private int replyBytes = Integer.MAX_VALUE;
  private String statement = "";

  /** All of so many hosts are reached. */
  CutReplicas(int hosts) {
    cut = new boolean[hosts];
    dataReads = new int[hosts];
  }

  /** From now on only these hosts are reached, a bit for each. */
  void reach(int hosts) {
    for (int i = 0; i < cut.length; i++) {
      cut[i] = (hosts & 1 << i) == 0;
    }
  }

  /** Replies of other nodes end after so many bytes. */
  void limitReplies(int bytes) {
    replyBytes = bytes;
  }

  /** Whether a mutation that was sent has not been acknowledged. */
  boolean isInFlight() {
    return inFlight > 0;
  }

  /** A read begins: it is counted from zero. */
  void reading(String cql) {
    statement = cql;
    Arrays.fill(dataReads, 0);
  }

  /** The read that began last. */
  String statement() {
    return statement;
  }

  /** How often one of the hosts was asked for data, at most. */
  int mostDataReads() {
    return Arrays.stream(dataReads).max().orElse(0);
  }

  /** Puts the cuts between a coordinator and the replicas on other nodes. */
  RemoteReplicas in(Shard shard, RemoteReplicas others) {
    return new Cut(others);
  }

  private final class Cut extends ForwardedReplicas {
    Cut(RemoteReplicas others) {
      super(others);
    }

    /** The host of a member: the simulation's addresses end with its number. */
    private int host(Member member) {
      InetSocketAddress address = address(member);
      if (address == null) {
        throw new AssertionError("the address of " + member + " is unknown");
      }
      return address.getAddress().getAddress()[3] - 1;
    }

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
      if (cut[host(to)]) {
        return NOT_SENT;
      }
      ReplyHandler handler = repair ? reply : new Counted(reply);
      long id =
          super.write(to, token, mutation, offset, length, repair, remainingNanos, tag, handler);
      inFlight += repair || id == NOT_SENT ? 0 : 1;
      return id;
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
      int host = host(to);
      if (cut[host]) {
        return NOT_SENT;
      }
      dataReads[host] += kind == Read.DATA ? 1 : 0;
      int bytes = Math.min(maxBytes, replyBytes);
      return super.read(
          to, firstToken, lastToken, request, kind, bytes, remainingNanos, tag, reply);
    }
  }

  /** Notes the end of a mutation. */
  private final class Counted implements ReplyHandler {
    private final ReplyHandler reply;

    Counted(ReplyHandler reply) {
      this.reply = reply;
    }

    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {
      inFlight--;
      reply.replied(tag, body, offset, length);
    }

    @Override
    public void failed(int tag, byte code, String text) {
      inFlight--;
      reply.failed(tag, code, text);
    }

    @Override
    public void broken(int tag) {
      inFlight--;
      reply.broken(tag);
    }
  }
}
