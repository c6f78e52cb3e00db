package io.helenus.server.node;

/** What this is. */
final class Version {
  /** Our own version. */
  static final String TEXT = "0.1.0";

  /** The version of CQL, as drivers and cqlsh are told. */
  static final String CQL = "3.4.7";

  private Version() {}
}
