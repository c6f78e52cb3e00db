package io.helenus.server.protocol;

/**
 * The door between a connection and what answers it. Called on the event loop of the connection.
 */
public interface RequestHandler {
  /**
   * Answers a request through its exchange, now or later. The request and everything in it is good
   * until this returns; the session and the exchange are good until the answer. A {@link
   * io.helenus.server.error.CqlException} thrown from here is answered as its error, any other
   * exception as a server error.
   */
  void handle(Session session, Request request, Exchange exchange);
}
