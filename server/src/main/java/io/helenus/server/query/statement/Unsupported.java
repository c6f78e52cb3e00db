package io.helenus.server.query.statement;

import io.helenus.server.error.CqlException;

/** The refusal of what CQL has and this version has not. Stateless. */
public final class Unsupported {
  private Unsupported() {}

  /** Names the feature. */
  public static CqlException feature(String feature) {
    return CqlException.invalid(feature + " is not supported by this version of Helenus");
  }
}
