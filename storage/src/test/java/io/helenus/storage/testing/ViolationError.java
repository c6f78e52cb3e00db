package io.helenus.storage.testing;

import org.jspecify.annotations.Nullable;

/** A simulation found the system under test to break a promise. */
public final class ViolationError extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final Violation violation;

  /** Names the violation; the message shows expected and actual. */
  public ViolationError(Violation violation, String message) {
    this(violation, message, null);
  }

  /** The same with what was thrown. */
  public ViolationError(Violation violation, String message, @Nullable Throwable cause) {
    super(violation + ": " + message, cause);
    this.violation = violation;
  }

  /** A violation as it is; anything else as {@link Violation#EXCEPTION}. */
  public static ViolationError of(Throwable thrown) {
    return thrown instanceof ViolationError named
        ? named
        : new ViolationError(Violation.EXCEPTION, thrown.toString(), thrown);
  }

  /** Which promise. */
  public Violation violation() {
    return violation;
  }
}
