package io.helenus.server.query.statement;

import io.helenus.server.error.CqlException;

/** Errors for CQL features that Helenus does not support yet. Stateless; any thread. */
public final class Unsupported {
  private Unsupported() {}

  /** The error for a feature. */
  public static CqlException feature(String feature) {
    return CqlException.invalid(feature + " is not supported by this version of Helenus");
  }
}
