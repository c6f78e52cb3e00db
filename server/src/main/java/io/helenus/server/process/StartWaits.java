package io.helenus.server.process;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The waits of a start for other nodes, which may take long and which a signal therefore ends in
 * order. One wait at a time; {@link #end} may be called by any thread.
 */
final class StartWaits {
  private @Nullable CompletableFuture<Void> ending;

  /** The start was ended while it waited for other nodes. */
  static final class EndedException extends IOException {
    private static final long serialVersionUID = 1L;

    EndedException() {
      super("stopped while waiting for other nodes");
    }
  }

  /**
   * Waits, however long that takes.
   *
   * @throws EndedException if {@link #end} was called meanwhile
   * @throws IOException if the future has failed; the message is that of its cause
   */
  void await(CompletableFuture<Void> future) throws IOException {
    CompletableFuture<Void> end = new CompletableFuture<>();
    ending(end);
    try {
      CompletableFuture.anyOf(future, end).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for other nodes", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), e);
    } finally {
      ending(null);
    }
    if (end.isDone()) {
      throw new EndedException();
    }
  }

  private synchronized void ending(@Nullable CompletableFuture<Void> end) {
    ending = end;
  }

  /** Ends the wait in progress; false if there is none. */
  synchronized boolean end() {
    return ending != null && ending.complete(null);
  }
}
