package io.helenus.copy.work;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does work of many pieces, several at once, each on a virtual thread. */
public final class Workers {
  private Workers() {}

  /**
   * Does all pieces in their order; returns when all are done. After a failure no new piece begins.
   *
   * @throws RuntimeException the first failure
   */
  public static <T> void run(List<T> pieces, int parallel, Consumer<T> work) {
    Iterator<T> rest = pieces.iterator();
    AtomicBoolean failed = new AtomicBoolean();
    RuntimeException first = null;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < Math.min(parallel, pieces.size()); i++) {
        workers.add(threads.submit(() -> runSome(rest, failed, work)));
      }
      for (Future<?> worker : workers) {
        first = await(worker, first);
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static <T> void runSome(Iterator<T> rest, AtomicBoolean failed, Consumer<T> work) {
    boolean done = false;
    try {
      for (T piece = next(rest); piece != null && !failed.get(); piece = next(rest)) {
        work.accept(piece);
      }
      done = true;
    } finally {
      if (!done) {
        failed.set(true);
      }
    }
  }

  private static <T> @Nullable T next(Iterator<T> rest) {
    synchronized (rest) {
      return rest.hasNext() ? rest.next() : null;
    }
  }

  private static @Nullable RuntimeException await(
      Future<?> worker, @Nullable RuntimeException first) {
    try {
      worker.get();
      return first;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      return first == null ? (RuntimeException) e.getCause() : first;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
