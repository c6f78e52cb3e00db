package io.helenus.storage.env;

/** An {@link Error} that ended one request or background job, and nothing else. */
public final class ContainedErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps the error; the message says what to do where the operator can do something. */
  public ContainedErrorException(Error cause) {
    super(message(cause), cause);
  }

  private static String message(Error cause) {
    if (cause instanceof OutOfMemoryError memory && FatalErrors.isNative(memory)) {
      return "native memory is exhausted ("
          + cause.getMessage()
          + "); lower memtable_offheap_space or block_cache_size, or raise"
          + " -XX:MaxDirectMemorySize in conf/jvm.options";
    }
    return cause.toString();
  }
}
