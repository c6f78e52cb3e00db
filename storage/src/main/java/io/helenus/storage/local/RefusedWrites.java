package io.helenus.storage.local;

import io.helenus.storage.engine.StorageEngine.WriteListener;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.engine.WriteRefusedException.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes that were refused in the current tick. Their listeners are called at its end, never
 * from within {@code apply}. Shard thread only.
 */
final class RefusedWrites {
  private record Refusal(WriteListener listener, WriteRefusedException why) {}

  private List<Refusal> refusals = new ArrayList<>();

  void add(WriteListener listener, Reason reason, String message) {
    refusals.add(new Refusal(listener, new WriteRefusedException(reason, message)));
  }

  boolean isEmpty() {
    return refusals.isEmpty();
  }

  /** Calls the listeners, whose further writes may be refused in turn, for the next call. */
  void notifyListeners() {
    if (!refusals.isEmpty()) {
      List<Refusal> notified = refusals;
      refusals = new ArrayList<>();
      for (Refusal refusal : notified) {
        refusal.listener.onRefused(refusal.why);
      }
    }
  }
}
