package io.helenus.server.protocol;

/** The flags in the header of a frame (native protocol v5, section 2.2). */
public final class FrameFlags {
  /** The body is compressed; v3 and v4 only. */
  public static final int COMPRESSION = 0x01;

  /** Request: trace it. Response: the body starts with a tracing id. */
  public static final int TRACING = 0x02;

  /** The body holds a custom payload before the message. */
  public static final int CUSTOM_PAYLOAD = 0x04;

  /** Response: the body holds warnings before the message. */
  public static final int WARNING = 0x08;

  /** The client accepts that this version of the protocol is a beta. */
  public static final int USE_BETA = 0x10;

  private FrameFlags() {}
}
