package io.helenus.server.protocol;

/** Handles the requests of connections. Called on the event loop of the connection. */
public interface RequestHandler {
  /**
   * Responds to a request through its exchange, immediately or later. The request and everything in
   * it is valid until this returns; the session and the exchange are valid until the response. A
   * {@link io.helenus.server.error.CqlException} thrown from here is sent to the client as its
   * error, any other exception as a server error.
   */
  void handle(Session session, Request request, Exchange exchange);
}
