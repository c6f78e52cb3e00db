package io.helenus.server.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Dials a changing set of addresses, each again and again, but never twice at once. */
final class Redialling {
  private final long intervalNanos;
  private final Map<Endpoint, Attempt> attempts = new HashMap<>();

  private static final class Attempt {
    private boolean open;
    private long nextNanos;
  }

  Redialling(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** The addresses to dial now. */
  List<Endpoint> due(Set<Endpoint> targets, long now) {
    attempts.entrySet().removeIf(e -> !e.getValue().open && !targets.contains(e.getKey()));
    List<Endpoint> due = new ArrayList<>();
    for (Endpoint target : targets) {
      Attempt attempt = attempts.get(target);
      if (attempt == null) {
        attempt = new Attempt();
        attempt.nextNanos = now;
        attempts.put(target, attempt);
      }
      if (!attempt.open && now - attempt.nextNanos >= 0) {
        attempt.open = true;
        attempt.nextNanos = now + intervalNanos;
        due.add(target);
      }
    }
    return due;
  }

  /**
   * How long it takes until one of the addresses is due, as far as only time decides: {@link
   * Long#MAX_VALUE} if there is none, or each is being dialled.
   */
  long waitNanos(Set<Endpoint> targets, long now) {
    long wait = Long.MAX_VALUE;
    for (Endpoint target : targets) {
      Attempt attempt = attempts.get(target);
      if (attempt == null) {
        return 0;
      }
      if (!attempt.open) {
        wait = Math.min(wait, Math.max(0, attempt.nextNanos - now));
      }
    }
    return wait;
  }

  /** The attempt has ended, in whichever way. */
  void ended(Endpoint endpoint) {
    Attempt attempt = attempts.get(endpoint);
    if (attempt != null) {
      attempt.open = false;
    }
  }
}
