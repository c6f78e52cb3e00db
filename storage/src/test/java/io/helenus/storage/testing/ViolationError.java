package io.helenus.storage.testing;

import org.jspecify.annotations.Nullable;

/** Thrown by a simulation when the system under test breaks a guarantee. */
public final class ViolationError extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final Violation violation;

  /** Names the violation; the message shows expected and actual. */
  public ViolationError(Violation violation, String message) {
    this(violation, message, null);
  }

  /** As above, with a cause. */
  public ViolationError(Violation violation, String message, @Nullable Throwable cause) {
    super(violation + ": " + message, cause);
    this.violation = violation;
  }

  /** Returns violations unchanged and wraps anything else as {@link Violation#EXCEPTION}. */
  public static ViolationError of(Throwable thrown) {
    return thrown instanceof ViolationError named
        ? named
        : new ViolationError(Violation.EXCEPTION, thrown.toString(), thrown);
  }

  /** The kind of violation. */
  public Violation violation() {
    return violation;
  }
}
