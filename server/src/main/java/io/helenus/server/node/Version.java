package io.helenus.server.node;

/** Version numbers. */
final class Version {
  /** The version of Helenus. */
  static final String TEXT = "0.1.0";

  /** The version of CQL reported to drivers and cqlsh. */
  static final String CQL = "3.4.7";

  private Version() {}
}
