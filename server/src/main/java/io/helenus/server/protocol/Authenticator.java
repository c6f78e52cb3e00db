package io.helenus.server.protocol;

import org.jspecify.annotations.Nullable;

/**
 * How clients prove who they are: the door for the {@code auth} room. Called on the connection's
 * event loop.
 */
public interface Authenticator {
  /**
   * The class name for AUTHENTICATE by which drivers choose what to send; null when nobody has to
   * log in, and STARTUP is answered with READY.
   */
  @Nullable String className();

  /** Starts the negotiation of one connection. Called only when there is a class name. */
  Negotiation begin(Session session);

  /** One connection's steps towards a login. */
  interface Negotiation {
    /**
     * Takes a token of the client and answers through the outcome, at once or later on the
     * connection's event loop.
     */
    void step(byte[] token, Outcome outcome);
  }

  /** What a step leads to; exactly one method is called, once. */
  interface Outcome {
    /** Another token is wanted. */
    void challenge(byte[] token);

    /** This user has logged in. */
    void success(String user);

    /** No. The text goes to the client with BAD_CREDENTIALS. */
    void failure(String message);
  }

  /** Everybody is welcome, without a name. */
  record AllowAll() implements Authenticator {
    @Override
    public @Nullable String className() {
      return null;
    }

    @Override
    public Negotiation begin(Session session) {
      throw new IllegalStateException("nobody has to log in");
    }
  }
}
