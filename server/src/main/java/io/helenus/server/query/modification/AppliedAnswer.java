package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedCallback;
import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.condition.ConditionalRead;
import io.helenus.server.query.statement.Reply;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Responds to the client of a conditional write: whether it was applied and, if not, the rows that
 * did not meet the conditions. Shard thread only.
 */
final class AppliedAnswer implements ComputedCallback {
  private final ConditionalRead read;
  private final ConditionalWrite write;
  private final Reply reply = new Reply();
  private final @Nullable RequestTrace trace;

  AppliedAnswer(
      ConditionalRead read,
      ConditionalWrite write,
      Exchange exchange,
      @Nullable RequestTrace trace) {
    this.read = read;
    this.write = write;
    this.trace = trace;
    reply.begin(exchange, trace);
  }

  @Override
  public void computed(ComputedResult result) {
    if (trace != null) {
      describe(result, trace);
      trace.event(write.applied() ? "Conditions met" : "Conditions not met");
    }
    CqlException refusal = write.test().refusal();
    if (refusal != null) {
      reply.end().respondError(refusal.error());
      return;
    }
    if (write.applied()) {
      write.guarded().warnings().forEach(reply::warn);
      CqlException violation = write.guarded().violation();
      if (violation != null) {
        reply.end().respondError(violation.error());
        return;
      }
    }
    Exchange exchange = reply.endTrace();
    ByteWriter body = exchange.body();
    int rejected = write.applied() ? 0 : write.test().rowCount();
    ResultColumns columns = rejected == 0 ? read.applied() : read.rejected();
    Responses.rowsHeader(body, exchange.protocolVersion(), columns);
    if (rejected == 0) {
      body.putInt(1).putInt(1).putByte(write.applied() ? 1 : 0);
    } else {
      ByteWriter rows = write.test().rows();
      MemorySegment bytes = rows.segment();
      body.putInt(rejected).putBytes(bytes, 0, rows.size());
    }
    reply.end().respond(Opcodes.RESULT, body);
  }

  /** Adds to a trace what a computed write waited for and read. */
  static void describe(ComputedResult result, RequestTrace open) {
    open.event(
        "Waited "
            + result.waitedNanos() / 1_000
            + " µs in the queue of the partition; computed in a turn of "
            + result.turn());
    open.event(
        "Read " + result.rows() + " live rows and " + result.tombstones() + " tombstone cells");
  }

  @Override
  public void failed(CqlError error) {
    reply.end().respondError(error);
  }
}
