package io.helenus.server.protocol;

import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request without a socket that records its response, decoded by the test client's decoder. Not
 * thread-safe.
 */
public final class RecordedExchange implements Exchange {
  /** The protocol version of the encoded responses. */
  public static final int VERSION = 5;

  private final Consumer<Response> whenAnswered;
  private final ByteWriter body = new ByteWriter(256);
  private final List<String> warnings = new ArrayList<>();
  private Runnable onDisconnect = () -> {};
  private @Nullable Response response;
  private @Nullable CqlError error;

  /** An exchange that only records its response. */
  public RecordedExchange() {
    this(answer -> {});
  }

  /** An exchange that also passes its response on. */
  public RecordedExchange(Consumer<Response> whenAnswered) {
    this.whenAnswered = whenAnswered;
  }

  /** The response; AssertionError if there is none yet. */
  public Response response() {
    Response given = response;
    if (given == null) {
      throw new AssertionError("not answered");
    }
    return given;
  }

  /** The error of the response; null if it is not an error. */
  public @Nullable CqlError error() {
    return error;
  }

  /** The warnings so far. */
  public List<String> warnings() {
    return warnings;
  }

  private void answered(Response answer) {
    if (response != null) {
      throw new AssertionError("answered twice: " + response + " and " + answer);
    }
    response = answer;
    whenAnswered.accept(answer);
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
    answered(ResponseDecoder.decode(new Frame(VERSION, true, 0, 1, opcode, answer.toArray())));
  }

  @Override
  public void respondError(CqlError failure) {
    error = failure;
    answered(
        new Response.Failure(
            new Response.Extras(List.of(), null, Map.of()),
            failure.code(),
            failure.message(),
            Map.of()));
  }

  @Override
  public void warn(String text) {
    warnings.add(text);
  }

  @Override
  public void tracingId(long mostSignificantBits, long leastSignificantBits) {}

  @Override
  public void holdEvents() {}

  @Override
  public void onDisconnect(Runnable action) {
    onDisconnect = action;
  }

  /** Disconnects the client. Call it on the event loop of the request. */
  public void disconnect() {
    if (response == null) {
      onDisconnect.run();
    }
  }
}
