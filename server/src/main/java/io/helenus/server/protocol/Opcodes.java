package io.helenus.server.protocol;

/** The opcodes of messages (native protocol v5, section 2.4). */
public final class Opcodes {
  /** Response: an error. */
  public static final int ERROR = 0x00;

  /** Request: the first message of a connection. */
  public static final int STARTUP = 0x01;

  /** Response: the connection is ready for requests. */
  public static final int READY = 0x02;

  /** Response: the client must authenticate first. */
  public static final int AUTHENTICATE = 0x03;

  /** Request for the options that the server supports; also the heartbeat of drivers. */
  public static final int OPTIONS = 0x05;

  /** Response to OPTIONS. */
  public static final int SUPPORTED = 0x06;

  /** Request: run a statement given as text. */
  public static final int QUERY = 0x07;

  /** Response to QUERY, PREPARE, EXECUTE and BATCH. */
  public static final int RESULT = 0x08;

  /** Request: prepare a statement. */
  public static final int PREPARE = 0x09;

  /** Request: run a prepared statement. */
  public static final int EXECUTE = 0x0A;

  /** Request: register for events. */
  public static final int REGISTER = 0x0B;

  /** An event: a response without a request. */
  public static final int EVENT = 0x0C;

  /** Request: run several statements as one. */
  public static final int BATCH = 0x0D;

  /** Response: a step of the authentication. */
  public static final int AUTH_CHALLENGE = 0x0E;

  /** Request: a step of the authentication. */
  public static final int AUTH_RESPONSE = 0x0F;

  /** Response: authenticated. */
  public static final int AUTH_SUCCESS = 0x10;

  private Opcodes() {}
}
