package io.helenus.server.simulation.cluster;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Delegates to the replicas on other nodes, for subclasses that change some of the calls. */
class ForwardedReplicas implements RemoteReplicas {
  private final RemoteReplicas others;

  ForwardedReplicas(RemoteReplicas others) {
    this.others = others;
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
    return others.write(to, token, mutation, offset, length, repair, remainingNanos, tag, reply);
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
    return others.read(
        to, firstToken, lastToken, request, kind, maxBytes, remainingNanos, tag, reply);
  }

  @Override
  public void forget(Member to, long id) {
    others.forget(to, id);
  }

  @Override
  public @Nullable InetSocketAddress address(Member member) {
    return others.address(member);
  }

  @Override
  public @Nullable InetSocketAddress localAddress() {
    return others.localAddress();
  }
}
