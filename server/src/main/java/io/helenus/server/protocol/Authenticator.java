package io.helenus.server.protocol;

import org.jspecify.annotations.Nullable;

/** How clients authenticate. Called on the event loop of the connection. */
public interface Authenticator {
  /**
   * The class name in AUTHENTICATE, by which drivers choose a mechanism. Null if no login is
   * required; the response to STARTUP is then READY.
   */
  @Nullable String className();

  /** Starts the negotiation of one connection. Called only if {@link #className} is not null. */
  Negotiation begin(Session session);

  /** The login of one connection. */
  interface Negotiation {
    /**
     * Handles a token from the client. Reports to the outcome, immediately or later, on the event
     * loop of the connection.
     */
    void step(byte[] token, Outcome outcome);
  }

  /** The result of a step. Exactly one method is called, once. */
  interface Outcome {
    /** Asks the client for another token. */
    void challenge(byte[] token);

    /** The user is authenticated. */
    void success(String user);

    /** The login has failed; the message is sent with BAD_CREDENTIALS. */
    void failure(String message);
  }

  /** Accepts every client without a login. */
  record AllowAll() implements Authenticator {
    @Override
    public @Nullable String className() {
      return null;
    }

    @Override
    public Negotiation begin(Session session) {
      throw new IllegalStateException("no login is required");
    }
  }
}
