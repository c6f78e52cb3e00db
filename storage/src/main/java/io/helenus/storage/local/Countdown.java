package io.helenus.storage.local;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for several outcomes, then calls back once, with the first failure or null. Any thread. */
final class Countdown implements Consumer<Exception> {
  private final Consumer<? super Exception> whenDone;
  private int left;
  private @Nullable Exception failure;

  Countdown(int answers, Consumer<? super Exception> whenDone) {
    this.whenDone = whenDone;
    this.left = answers;
    if (answers == 0) {
      whenDone.accept(null);
    }
  }

  @Override
  public void accept(@Nullable Exception outcome) {
    boolean last;
    Exception result;
    synchronized (this) {
      if (failure == null) {
        failure = outcome;
      }
      last = --left == 0;
      result = failure;
    }
    if (last) {
      whenDone.accept(result);
    }
  }
}
