package io.helenus.storage.env;

/** An {@link Error} that fails only one request or background job. */
public final class ContainedErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps the error; the message tells the operator what to do, if there is a remedy. */
  public ContainedErrorException(Error cause) {
    super(message(cause), cause);
  }

  private static String message(Error cause) {
    if (cause instanceof OutOfMemoryError memory && FatalErrors.isNative(memory)) {
      return "native memory is exhausted ("
          + cause.getMessage()
          + "); raise memory in helenus.yaml";
    }
    return cause.toString();
  }
}
