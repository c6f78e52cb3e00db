package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Statements;
import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Draws reads. */
final class ReadShapes {
  private ReadShapes() {}

  /**
   * A read of any kind.
   *
   * @param values values of v that rows may have
   * @param onlyWhole whether it reads whole partitions at once
   */
  static ReadShape draw(
      SimRandomness choices, Model.Table table, List<Integer> values, boolean onlyWhole) {
    List<Integer> partitions = partitions(choices);
    if (onlyWhole || choices.percent(20)) {
      return ReadShape.whole(table, partitions);
    }
    if (choices.percent(10)) {
      return tokenRange(choices, table);
    }
    int low = choices.below(Statements.CLUSTERINGS);
    boolean slices = choices.percent(40);
    // an index can neither be asked with IN nor in reverse
    boolean filters = partitions.size() < 2 && !values.isEmpty() && choices.percent(25);
    boolean limits = partitions.size() < 2 && choices.percent(40);
    return new ReadShape(
        table,
        partitions,
        slices ? (Integer) low : null,
        low + choices.below(3),
        partitions.size() == 1 && !filters && choices.percent(30),
        limits ? 1 + choices.below(4) : 0,
        choices.percent(20) ? 1 + choices.below(3) : 0,
        filters ? values.get(choices.below(values.size())) : null,
        choices.percent(20),
        choices.percent(30) && partitions.size() < 2 ? 1 + choices.below(3) : -1,
        false);
  }

  private static ReadShape tokenRange(SimRandomness choices, Model.Table table) {
    int p = choices.below(Model.PARTITIONS);
    return new ReadShape(
        table,
        ReadShape.between(p, choices.below(Model.PARTITIONS)),
        null,
        0,
        false,
        choices.percent(50) ? 1 + choices.below(6) : 0,
        choices.percent(20) ? 1 + choices.below(3) : 0,
        null,
        choices.percent(20),
        choices.percent(30) ? 1 + choices.below(3) : -1,
        true);
  }

  /** A read of one partition of which replicas differ. */
  static ReadShape ofDiverged(
      SimRandomness choices, Model.Table table, int p, List<Integer> values, boolean onlyWhole) {
    int dice = choices.below(3);
    if (onlyWhole || dice == 0) {
      return draw(choices, table, values, onlyWhole).on(p);
    }
    boolean filters = dice == 1 && !values.isEmpty();
    return new ReadShape(
        table,
        List.of(p),
        null,
        0,
        !filters && choices.percent(30),
        filters ? 0 : 1 + choices.below(3),
        0,
        filters ? values.get(choices.below(values.size())) : null,
        choices.percent(20),
        -1,
        false);
  }

  /** One, none for all, or several. */
  private static List<Integer> partitions(SimRandomness choices) {
    int dice = choices.below(100);
    if (dice < 65) {
      return List.of(choices.below(Model.PARTITIONS));
    }
    TreeSet<Integer> keys = new TreeSet<>();
    for (int i = dice < 85 ? 0 : 2 + choices.below(2); i > 0; i--) {
      keys.add(choices.below(Model.PARTITIONS));
    }
    return new ArrayList<>(keys);
  }
}
