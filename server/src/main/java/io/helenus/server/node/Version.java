package io.helenus.server.node;

/** Version numbers. */
public final class Version {
  /** The version of Helenus. */
  public static final String TEXT = "0.1.0";

  /** The version of CQL reported to drivers and cqlsh. */
  public static final String CQL = "3.4.7";

  private Version() {}
}
