package io.helenus.server.query;

import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Exchange;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the answer to one request. */
final class RecordedExchange implements Exchange {
  private final ByteWriter body = new ByteWriter(256);
  final List<String> warnings = new ArrayList<>();
  @Nullable CqlError error;
  int answers;

  /** The rows, with values in wire format and null for NULL. Expects no column metadata. */
  final List<List<byte @Nullable []>> rows = new ArrayList<>();

  byte @Nullable [] pagingState;

  @Override
  public int protocolVersion() {
    return 5;
  }

  @Override
  public int streamId() {
    return 1;
  }

  @Override
  public boolean tracingRequested() {
    return false;
  }

  @Override
  public ByteWriter body() {
    return body.clear();
  }

  @Override
  public void respond(int opcode, ByteWriter answer) {
    answers++;
    MemorySegment bytes = answer.segment();
    if (Bytes.getInt(bytes, 0) != 2) {
      return;
    }
    int flags = Bytes.getInt(bytes, 4);
    int columns = Bytes.getInt(bytes, 8);
    long at = 12;
    if ((flags & 2) != 0) {
      int length = Bytes.getInt(bytes, at);
      pagingState = Bytes.toArray(bytes, at + 4, length);
      at += 4 + length;
    }
    int count = Bytes.getInt(bytes, at);
    at += 4;
    for (int i = 0; i < count; i++) {
      List<byte @Nullable []> row = new ArrayList<>();
      for (int column = 0; column < columns; column++) {
        int length = Bytes.getInt(bytes, at);
        row.add(length < 0 ? null : Bytes.toArray(bytes, at + 4, length));
        at += 4 + Math.max(0, length);
      }
      rows.add(row);
    }
    if (at != answer.size()) {
      throw new AssertionError("parsed " + at + " of " + answer.size() + " bytes");
    }
  }

  @Override
  public void respondError(CqlError failure) {
    answers++;
    error = failure;
  }

  @Override
  public void warn(String text) {
    warnings.add(text);
  }

  @Override
  public void tracingId(long mostSignificantBits, long leastSignificantBits) {}

  @Override
  public void onDisconnect(Runnable cancellation) {}

  @Override
  public void holdEvents() {}
}
