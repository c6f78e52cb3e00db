package io.helenus.storage.local;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random changes of a partition, with timestamps near the simulated time. The same random numbers
 * at the same time yield the same changes. Not thread-safe.
 */
final class RandomActions {
  static final int CLUSTERINGS = 12;
  private static final int PATHS = 4;

  private final SimStorage storage;
  private final SimRandomness random;

  /**
   * Draws from one source of random numbers.
   *
   * @param storage provides the time
   */
  RandomActions(SimStorage storage, SimRandomness random) {
    this.storage = storage;
    this.random = random;
  }

  /** The changes of one mutation. */
  List<ModelTable.Action> mutation() {
    List<ModelTable.Action> actions = new ArrayList<>();
    for (int i = 1 + random.below(3); i > 0; i--) {
      actions.add(action());
    }
    return actions;
  }

  /** The current time, or up to two seconds earlier. */
  long timestamp() {
    long jitter = random.percent(20) ? random.below(2_000_000) : 0;
    return storage.world.clock().wallMicros() - jitter;
  }

  private ModelTable.Action action() {
    int dice = random.below(100);
    int clustering = random.below(CLUSTERINGS);
    if (dice < 4) {
      return new ModelTable.DeletePartition(timestamp());
    } else if (dice < 12) {
      return new ModelTable.DeleteRange(
          clustering, clustering + random.below(CLUSTERINGS - clustering), timestamp());
    } else if (dice < 22) {
      return new ModelTable.DeleteRow(clustering, timestamp());
    }
    boolean isStatic = dice < 30;
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    if (isStatic) {
      cells.put(ModelTable.STATIC_COLUMN, value());
    } else {
      for (int column = 1; column <= 3; column++) {
        if (random.percent(60)) {
          cells.put(column, value());
        }
      }
    }
    ModelTable.Elements elements =
        isStatic || random.percent(60) ? ModelTable.Elements.UNTOUCHED : elements();
    boolean insert = !isStatic && (random.percent(60) || cells.isEmpty());
    boolean live =
        cells.values().stream().noneMatch(Objects::isNull)
            && elements.cells().values().stream().noneMatch(Objects::isNull);
    int ttl = live && random.percent(20) ? 1 + random.below(150) : 0;
    // no jitter: timestamp ties are tested with plain values and tombstones only
    long timestamp = ttl > 0 ? storage.world.clock().wallMicros() : timestamp();
    long expiry = ttl > 0 ? storage.nowSeconds() + ttl : ModelTable.NEVER;
    return new ModelTable.Put(
        isStatic, clustering, insert, timestamp, ttl, expiry, cells, elements);
  }

  /** A random overwrite or change of elements of the multi-cell column. */
  private ModelTable.Elements elements() {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    for (int path = 0; path < PATHS; path++) {
      if (random.percent(40)) {
        cells.put(path, value());
      }
    }
    return new ModelTable.Elements(random.percent(40), cells);
  }

  private @Nullable Integer value() {
    return random.percent(20) ? null : Integer.valueOf(random.below(1_000_000));
  }
}
