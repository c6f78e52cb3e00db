package io.helenus.server.query.value;

import io.helenus.server.error.CqlException;
import org.jspecify.annotations.Nullable;

/**
 * What was found when the values of a rejected statement were checked again in Cassandra's order.
 * Immutable; any thread.
 *
 * @param mistake the first mistake; null if there is none
 * @param hasNoEffect whether Cassandra would find that the statement has no effect, before any
 *     mistake
 */
public record Verdict(@Nullable CqlException mistake, boolean hasNoEffect) {
  /** No mistake. */
  public static final Verdict VALID = new Verdict(null, false);

  /** A statement without an effect; what follows in it is not looked at. */
  public static final Verdict NO_EFFECT = new Verdict(null, true);

  /** A mistake. */
  public static Verdict of(CqlException mistake) {
    return new Verdict(mistake, false);
  }

  /**
   * The error to answer with: the mistake, or without one the error that the statement was rejected
   * with. Null if it has no effect, and is answered as if it had run.
   */
  public @Nullable CqlException refusal(CqlException rejection) {
    if (hasNoEffect) {
      return null;
    }
    return mistake == null ? rejection : mistake;
  }

  /** Throws the mistake, if any. */
  public void requireNoMistake() {
    if (mistake != null) {
      throw mistake;
    }
  }
}
