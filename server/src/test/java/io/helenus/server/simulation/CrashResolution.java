package io.helenus.server.simulation;

import io.helenus.server.simulation.Model.Seen;
import io.helenus.server.simulation.Model.State;
import io.helenus.server.simulation.Write.Part;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Determines after a crash which uncertain writes were applied, by the rules of {@link Model}, and
 * narrows the model's states to those that explain the data.
 */
final class CrashResolution {
  /** There are too many combinations of uncertain writes to try them all. */
  static final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final int FREE_LIMIT = 12;
  private static final int CANDIDATES_LIMIT = 1 << FREE_LIMIT;

  private final Model model;
  private final Set<Write> uncertain;
  private final List<Seen> seen;
  private final long second;
  private final List<List<Part>> parts = new ArrayList<>();
  private final List<List<State>> bases = new ArrayList<>();
  private final List<Set<State>> found = new ArrayList<>();

  CrashResolution(Model model, Set<Write> uncertain, List<Seen> seen, long second) {
    this.model = model;
    this.uncertain = uncertain;
    this.seen = seen;
    this.second = second;
    for (int p = 0; p < Model.PARTITIONS; p++) {
      List<Part> own = new ArrayList<>();
      for (Write write : uncertain) {
        for (Part part : write.parts) {
          if (part.p() == p) {
            own.add(part);
          }
        }
      }
      parts.add(own);
      Set<State> base = new LinkedHashSet<>();
      model.possible.get(p).forEach(state -> base.add(state.without(own)));
      bases.add(List.copyOf(base));
      found.add(new LinkedHashSet<>());
    }
  }

  void resolve(boolean lost, int life, IntUnaryOperator shardOf) {
    if (lost) {
      resolveLogs(life, shardOf);
    } else {
      resolveBatches();
    }
    for (int p = 0; p < Model.PARTITIONS; p++) {
      model.possible.set(p, List.copyOf(found.get(p)));
    }
  }

  /** All subsets of the uncertain writes, batches as a whole unless they are no longer replayed. */
  private void resolveBatches() {
    List<Write> batches =
        uncertain.stream()
            .filter(write -> write.spansPartitions() && second < write.replayedUntil())
            .toList();
    if (batches.size() > FREE_LIMIT) {
      throw new UndecidedException();
    }
    boolean any = false;
    for (int mask = 0; mask < 1 << batches.size(); mask++) {
      List<Write> in = new ArrayList<>();
      for (int i = 0; i < batches.size(); i++) {
        if ((mask & 1 << i) != 0) {
          in.add(batches.get(i));
        }
      }
      any |=
          explain(
              allPartitions(),
              part -> batches.contains(part.write()) ? in.contains(part.write()) : null);
    }
    if (!any) {
      throw violation(Violation.TORN_MUTATION, allPartitions());
    }
  }

  /** For each shard, a log that ends somewhere. */
  private void resolveLogs(int life, IntUnaryOperator shardOf) {
    for (int shard = 0; shard <= maxShard(shardOf); shard++) {
      List<Integer> own = new ArrayList<>();
      for (int p = 0; p < Model.PARTITIONS; p++) {
        if (shardOf.applyAsInt(p) == shard) {
          own.add(p);
        }
      }
      boolean any = explain(own, part -> isOrdered(part, life) ? Boolean.FALSE : null);
      for (int p : own) {
        for (Part last : parts.get(p)) {
          if (isOrdered(last, life)) {
            long sent = last.write().submittedNanos;
            any |=
                explain(
                    own,
                    part -> {
                      if (!isOrdered(part, life)) {
                        return null;
                      }
                      Write write = part.write();
                      return write.submittedNanos > sent
                          ? Boolean.FALSE
                          : part == last || write.answeredNanos <= sent ? Boolean.TRUE : null;
                    });
          }
        }
      }
      if (!any) {
        throw violation(Violation.HOLE_IN_LOG, own);
      }
    }
  }

  private int maxShard(IntUnaryOperator shardOf) {
    int max = 0;
    for (int p = 0; p < Model.PARTITIONS; p++) {
      max = Math.max(max, shardOf.applyAsInt(p));
    }
    return max;
  }

  private boolean isOrdered(Part part, int life) {
    return !part.write().spansPartitions() && part.write().life == life;
  }

  /** Whether a part is present; null if unknown. */
  private interface Inclusion {
    @Nullable Boolean of(Part part);
  }

  /** Adds the states that explain some partitions; false if one of them has none. */
  private boolean explain(List<Integer> partitions, Inclusion inclusion) {
    List<List<State>> explained = new ArrayList<>();
    for (int p : partitions) {
      List<State> states = candidates(p, inclusion);
      List<State> left = Model.agreeing(states, p, seen);
      if (left.isEmpty()) {
        return false;
      }
      explained.add(left);
    }
    for (int i = 0; i < partitions.size(); i++) {
      found.get(partitions.get(i)).addAll(explained.get(i));
    }
    return true;
  }

  private List<State> candidates(int p, Inclusion inclusion) {
    List<State> states = bases.get(p);
    int free = 0;
    for (Part part : parts.get(p)) {
      Boolean in = inclusion.of(part);
      if (in == null) {
        if (++free > FREE_LIMIT || states.size() > CANDIDATES_LIMIT / 2) {
          throw new UndecidedException();
        }
        states = Model.withOrWithout(states, part);
      } else if (in) {
        states = states.stream().map(state -> state.with(part)).toList();
      }
    }
    return states;
  }

  /**
   * Reports the violation: the suspected one, if the data is consistent without the suspected rule.
   */
  private ViolationError violation(Violation suspected, List<Integer> partitions) {
    if (explain(partitions, part -> null)) {
      return new ViolationError(
          suspected, "of " + uncertain.stream().map(write -> write.cql).toList());
    }
    for (int p : partitions) {
      if (Model.agreeing(candidates(p, part -> null), p, seen).isEmpty()) {
        if (!Model.agreeing(tornByTable(p), p, seen).isEmpty()) {
          return new ViolationError(Violation.TORN_MUTATION, "in partition " + p);
        }
        return model.closest(candidates(p, part -> null), p, seen, "after a crash, partition " + p);
      }
    }
    throw new AssertionError("a partition without explanation has one");
  }

  private List<State> tornByTable(int p) {
    List<State> states = bases.get(p);
    for (Part part : parts.get(p)) {
      for (int table = 0; table < Model.TABLES; table++) {
        List<List<Applied>> one = new ArrayList<>(List.of(List.of(), List.of()));
        one.set(table, part.changes().get(table));
        states = Model.withOrWithout(states, new Part(part.write(), p, one));
      }
    }
    return states;
  }

  private static List<Integer> allPartitions() {
    List<Integer> all = new ArrayList<>();
    for (int p = 0; p < Model.PARTITIONS; p++) {
      all.add(p);
    }
    return all;
  }
}
