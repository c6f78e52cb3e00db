package io.helenus.server.protocol;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayDeque;

/**
 * Responds to a QUERY with its text as a keyspace; {@code keep …} waits for {@link #answerNext}.
 */
final class EchoHandler implements RequestHandler {
  private final ArrayDeque<Runnable> kept = new ArrayDeque<>();

  @Override
  public void handle(Session session, Request request, Exchange exchange) {
    switch (request) {
      case Request.Query query -> query(query.text(), exchange);
      case Request.Prepare prepare -> text(exchange, prepare.text() + "@" + prepare.keyspace());
      case Request.Execute execute -> text(exchange, "executed");
      case Request.Batch batch -> text(exchange, "batch of " + batch.statements().size());
    }
  }

  private void query(String text, Exchange exchange) {
    if (text.equals("bug")) {
      throw new IllegalStateException("a bug");
    }
    if (text.equals("fail")) {
      throw CqlException.invalid("no");
    }
    if (text.equals("late bug")) {
      text(exchange, text);
      throw new IllegalStateException("after the answer");
    }
    if (text.startsWith("change")) {
      exchange.holdEvents();
    }
    if (text.startsWith("warn")) {
      exchange.warn(text);
      exchange.tracingId(1, 2);
    }
    if (text.startsWith("keep") || text.startsWith("change")) {
      kept.add(() -> text(exchange, text));
    } else {
      text(exchange, text);
    }
  }

  private static void text(Exchange exchange, String text) {
    ByteWriter body = exchange.body();
    Responses.setKeyspace(body, text);
    exchange.respond(Opcodes.RESULT, body);
  }

  int keptCount() {
    return kept.size();
  }

  void answerNext() {
    kept.remove().run();
  }
}
