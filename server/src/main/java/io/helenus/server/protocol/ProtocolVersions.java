package io.helenus.server.protocol;

/** The versions of the native protocol that are spoken here, as plain numbers. Constants only. */
public final class ProtocolVersions {
  /** Version 3: the oldest one spoken. */
  public static final int V3 = 3;

  /** Version 4: warnings, custom payloads, unset values, partition key indexes. */
  public static final int V4 = 4;

  /** Version 5: segments with checksums, result metadata ids, keyspaces per request. */
  public static final int V5 = 5;

  /** The oldest version spoken. */
  public static final int LOWEST = V3;

  /** The newest version spoken. */
  public static final int HIGHEST = V5;

  private ProtocolVersions() {}
}
