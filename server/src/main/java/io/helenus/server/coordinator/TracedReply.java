package io.helenus.server.coordinator;

import io.helenus.server.internode.ReplyHandler;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the reply to a request that is traced. The replica that is sent one learns the id of
 * the trace, and the events here say, in Cassandra's words, what was sent and what came back. For
 * one request. Shard thread only.
 */
public final class TracedReply implements ReplyHandler {
  private final ReplyHandler reply;
  private final RequestTrace trace;
  private String verb = "";
  private String peer = "";

  private TracedReply(ReplyHandler reply, RequestTrace trace) {
    this.reply = reply;
    this.trace = trace;
  }

  /** The handler to send a request with; the given one if it is not traced. */
  static ReplyHandler of(@Nullable RequestTrace trace, ReplyHandler reply) {
    return trace == null ? reply : new TracedReply(reply, trace);
  }

  /** The trace of the request that a handler waits for; null if it is not traced. */
  public static @Nullable RequestTrace traceOf(ReplyHandler handler) {
    return handler instanceof TracedReply traced ? traced.trace : null;
  }

  /**
   * The request of a handler was sent; nothing if it is not traced.
   *
   * @param purpose what it is sent for; ends so that the peer can follow; may be empty
   * @param verb what Cassandra calls such requests, without _REQ
   * @param peer the node that it was sent to
   */
  public static void sent(
      ReplyHandler handler, String purpose, String verb, String peer, int bytes) {
    if (handler instanceof TracedReply traced) {
      traced.verb = verb;
      traced.peer = peer;
      if (!purpose.isEmpty()) {
        traced.trace.event(purpose + peer);
      }
      traced.trace.event(
          "Sending " + verb + "_REQ message to " + peer + " message size " + bytes + " bytes");
    }
  }

  @Override
  public void replied(int tag, MemorySegment body, long offset, int length) {
    trace.event(verb + "_RSP message received from " + peer);
    reply.replied(tag, body, offset, length);
  }

  @Override
  public void failed(int tag, byte code, String text) {
    trace.event("FAILURE_RSP message received from " + peer + ": " + text);
    reply.failed(tag, code, text);
  }

  @Override
  public void broken(int tag) {
    trace.event("The link to " + peer + " was closed before its response to " + verb + "_REQ");
    reply.broken(tag);
  }
}
