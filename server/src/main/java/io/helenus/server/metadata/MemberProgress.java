package io.helenus.server.metadata;

import io.helenus.storage.env.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * How far the other members are, and who waits for them. On the scheduler of the log.
 *
 * <p>Changes of the schema are answered when every live member has followed them, so that what a
 * client does next holds on each of them; but not later than {@link #BOUND_NANOS} after. A
 * truncation needs all members, and is told about each.
 */
final class MemberProgress {
  /** How long is waited for members that are alive but do not follow. */
  static final long BOUND_NANOS = 5_000_000_000L;

  private record Wait(long index, Runnable then) {}

  /** A watch, and the members that it has been told about. */
  private record Watched(long index, MetadataLog.Watch watch, Set<UUID> told) {}

  private final Scheduler scheduler;
  private final Supplier<? extends Set<UUID>> live;
  private final Map<UUID, Long> durable = new HashMap<>();
  private final Map<UUID, Long> followed = new HashMap<>();
  private final List<Wait> waits = new ArrayList<>();
  private final List<Watched> watches = new ArrayList<>();

  MemberProgress(Scheduler scheduler, Supplier<? extends Set<UUID>> live) {
    this.scheduler = scheduler;
    this.live = live;
  }

  /** A member has told how far it is. */
  void told(UUID member, MetadataMessage.Progress progress, Set<UUID> members) {
    durable.merge(member, progress.durable(), Math::max);
    followed.merge(member, progress.followed(), Math::max);
    check(members);
  }

  /** The members that have told, and so have their joins durably. */
  Set<UUID> confirmed() {
    return durable.keySet();
  }

  /** Whether a member is alive, as far as is known. */
  boolean isLive(UUID member) {
    return live.get().contains(member);
  }

  /** Continues when each of these members that is alive has followed the log up to an index. */
  void whenFollowed(long index, Set<UUID> others, Runnable then) {
    if (isFollowed(index, others)) {
      then.run();
      return;
    }
    Wait wait = new Wait(index, then);
    waits.add(wait);
    Scheduler.Timer ignored =
        scheduler.schedule(
            () -> {
              if (waits.remove(wait)) {
                then.run();
              }
            },
            BOUND_NANOS);
  }

  private boolean isFollowed(long index, Set<UUID> others) {
    Set<UUID> alive = live.get();
    for (UUID member : others) {
      if (alive.contains(member) && followed.getOrDefault(member, 0L) < index) {
        return false;
      }
    }
    return true;
  }

  /** Watches each of these members follow the log up to an index. */
  void watch(long index, Set<UUID> others, MetadataLog.Watch watch) {
    Watched watched = new Watched(index, watch, new HashSet<>());
    watches.add(watched);
    check(watched, others);
  }

  private void check(Watched watched, Set<UUID> others) {
    Set<UUID> alive = live.get();
    for (UUID member : others) {
      boolean done = followed.getOrDefault(member, 0L) >= watched.index;
      if ((done || !alive.contains(member)) && watched.told.add(member)) {
        if (done) {
          watched.watch.followed(member);
        } else {
          watched.watch.lost(member);
        }
      }
    }
    if (watched.watch.isOver() || watched.told.containsAll(others)) {
      watches.remove(watched);
    }
  }

  /** Continues those whose members have followed or died. */
  void check(Set<UUID> others) {
    for (Watched watched : List.copyOf(watches)) {
      check(watched, others);
    }
    for (Wait wait : List.copyOf(waits)) {
      if (isFollowed(wait.index, others) && waits.remove(wait)) {
        wait.then.run();
      }
    }
  }

  /** Continues all that wait, as nothing is heard any more. */
  void close() {
    watches.clear();
    for (Wait wait : List.copyOf(waits)) {
      if (waits.remove(wait)) {
        wait.then.run();
      }
    }
  }
}
