package io.helenus.server.protocol;

/** The flags of a frame's header (native protocol v5, section 2.2). Constants only. */
public final class FrameFlags {
  /** The body is compressed; v3 and v4 only. */
  public static final int COMPRESSION = 0x01;

  /** Request: trace it. Response: a tracing id comes first in the body. */
  public static final int TRACING = 0x02;

  /** A custom payload comes before the message. */
  public static final int CUSTOM_PAYLOAD = 0x04;

  /** Response: warnings come before the message. */
  public static final int WARNING = 0x08;

  /** The client knows that this version of the protocol is a beta. */
  public static final int USE_BETA = 0x10;

  private FrameFlags() {}
}
