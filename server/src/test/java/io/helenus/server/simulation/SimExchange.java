package io.helenus.server.simulation;

import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Exchange;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One request of the simulated client: decodes the answer with the tests' own decoder. */
final class SimExchange implements Exchange {
  static final int VERSION = 5;

  private final Consumer<Response> answered;
  private final ByteWriter body = new ByteWriter(256);
  private boolean done;

  SimExchange(Consumer<Response> answered) {
    this.answered = answered;
  }

  @Override
  public int protocolVersion() {
    return VERSION;
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
    once();
    answered.accept(
        ResponseDecoder.decode(new Frame(VERSION, true, 0, 1, opcode, answer.toArray())));
  }

  @Override
  public void respondError(CqlError error) {
    once();
    answered.accept(
        new Response.Failure(
            new Response.Extras(List.of(), null, Map.of()),
            error.code(),
            error.message(),
            Map.of()));
  }

  private void once() {
    if (done) {
      throw new AssertionError("answered twice");
    }
    done = true;
  }

  @Override
  public void warn(String text) {}

  @Override
  public void tracingId(long mostSignificantBits, long leastSignificantBits) {}

  @Override
  public void onDisconnect(Runnable cancellation) {}

  @Override
  public void holdEvents() {}
}
