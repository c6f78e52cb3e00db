package io.helenus.server.protocol;

/** The supported versions of the native protocol. */
public final class ProtocolVersions {
  /** Version 3. */
  public static final int V3 = 3;

  /** Version 4 adds warnings, custom payloads, unset values and partition key indexes. */
  public static final int V4 = 4;

  /** Version 5 adds segments with checksums, result metadata ids and a keyspace per request. */
  public static final int V5 = 5;

  /** The oldest supported version. */
  public static final int LOWEST = V3;

  /** The newest supported version. */
  public static final int HIGHEST = V5;

  private ProtocolVersions() {}
}
