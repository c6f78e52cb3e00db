package io.helenus.server.query.modification;

import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.query.statement.Reply;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Responds to the client when its write is done, with a void result or an error. Pooled; each use
 * is for one response. Shard thread only.
 */
public final class VoidAnswer implements WriteCallback {
  private static final int KEPT = 4096;

  private final Pool pool;
  private final Reply reply = new Reply();

  private VoidAnswer(Pool pool) {
    this.pool = pool;
  }

  /** The idle callbacks of a shard. Shard thread only. */
  public static final class Pool {
    private final ArrayDeque<VoidAnswer> free = new ArrayDeque<>();

    /** Takes a callback for this exchange; it returns to the pool after the response. */
    public VoidAnswer take(Exchange exchange, @Nullable RequestTrace trace) {
      VoidAnswer answer = free.pollLast();
      if (answer == null) {
        answer = new VoidAnswer(this);
      }
      answer.reply.begin(exchange, trace);
      return answer;
    }
  }

  @Override
  public @Nullable RequestTrace trace() {
    return reply.trace();
  }

  private Exchange end() {
    Exchange ended = reply.end();
    if (pool.free.size() < KEPT) {
      pool.free.addLast(this);
    }
    return ended;
  }

  @Override
  public void written() {
    ByteWriter body = reply.endTrace().body();
    Responses.voidResult(body);
    end().respond(Opcodes.RESULT, body);
  }

  /** Responds with a void result. */
  public static void respond(Exchange exchange) {
    ByteWriter body = exchange.body();
    Responses.voidResult(body);
    exchange.respond(Opcodes.RESULT, body);
  }

  @Override
  public void failed(CqlError error) {
    end().respondError(error);
  }
}
