package io.helenus.server.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What clients did to one row that is a register, and whether it is linearizable: whether there is
 * an order of the operations, each at a moment between its call and its return, in which every
 * result is right. An operation without a result happened at a moment before its end, or never.
 *
 * <p>The search is that of Wing and Gong: it tries each operation that may be next, and remembers
 * the pairs of applied operations and state that it has seen.
 */
final class RegisterHistory {
  private final List<Operation> operations = new ArrayList<>();
  private long clock;

  /** The kinds of operations; a null state is a row that does not exist. */
  enum Kind {
    /** INSERT … IF NOT EXISTS. */
    CREATE,
    /** UPDATE … IF v = expected. */
    SWAP,
    /** DELETE … IF EXISTS. */
    REMOVE,
    /** SELECT at SERIAL. */
    READ
  }

  /** An operation and its result. */
  static final class Operation {
    private final Kind kind;
    private final @Nullable Integer expected;
    private final @Nullable Integer value;
    private final long called;
    private long returned = Long.MAX_VALUE;
    private boolean answered;
    private boolean applied;
    private @Nullable Integer seen;

    private Operation(Kind kind, @Nullable Integer expected, @Nullable Integer value, long called) {
      this.kind = kind;
      this.expected = expected;
      this.value = value;
      this.called = called;
    }

    @Nullable Integer value() {
      return value;
    }

    private boolean isReturned() {
      return returned != Long.MAX_VALUE;
    }

    /** Whether it would change this state. */
    private boolean changes(@Nullable Integer state) {
      return switch (kind) {
        case CREATE -> state == null;
        case SWAP -> state != null && state.equals(expected);
        case REMOVE -> state != null;
        case READ -> false;
      };
    }

    /** Whether its result is right in this state. */
    private boolean agrees(@Nullable Integer state) {
      if (!answered) {
        return true;
      }
      if (kind != Kind.READ && applied != changes(state)) {
        return false;
      }
      return applied || Objects.equals(seen, state);
    }

    @Override
    public String toString() {
      return called
          + "-"
          + (isReturned() ? returned : "?")
          + " "
          + kind
          + " "
          + expected
          + "->"
          + value
          + (answered ? (applied ? " applied" : " saw " + seen) : " unknown");
    }
  }

  /** Records a call. */
  Operation call(Kind kind, @Nullable Integer expected, @Nullable Integer value) {
    Operation operation = new Operation(kind, expected, value, ++clock);
    operations.add(operation);
    return operation;
  }

  /** Records a result; {@code seen} is the state that a read, or a write not applied, returned. */
  void answered(Operation operation, boolean applied, @Nullable Integer seen) {
    operation.answered = true;
    operation.applied = applied;
    operation.seen = seen;
    operation.returned = ++clock;
  }

  /** The node has crashed: operations without a result have happened by now, or never will. */
  void crashed() {
    clock++;
    for (Operation operation : operations) {
      if (!operation.isReturned()) {
        operation.returned = clock;
      }
    }
  }

  int size() {
    return operations.size();
  }

  /** How many operations returned this result. */
  long count(Kind kind, boolean applied) {
    return operations.stream()
        .filter(each -> each.kind == kind && each.answered && each.applied == applied)
        .count();
  }

  /** Whether the history is linearizable, beginning with a row that does not exist. */
  boolean isLinearizable() {
    return search(new BitSet(), null, new HashSet<>());
  }

  private record Configuration(BitSet done, @Nullable Integer state) {}

  private boolean search(BitSet done, @Nullable Integer state, Set<Configuration> seen) {
    if (done.cardinality() == operations.size()) {
      return true;
    }
    if (!seen.add(new Configuration((BitSet) done.clone(), state))) {
      return false;
    }
    long firstReturn = Long.MAX_VALUE;
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      firstReturn = Math.min(firstReturn, operations.get(i).returned);
    }
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      Operation next = operations.get(i);
      if (next.called > firstReturn) {
        break;
      }
      done.set(i);
      boolean happens = next.agrees(state);
      boolean found = happens && search(done, next.changes(state) ? next.value : state, seen);
      // without a result, it may never have happened
      found = found || (!next.answered && search(done, state, seen));
      if (found) {
        return true;
      }
      done.clear(i);
    }
    return false;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    operations.forEach(each -> text.append(each).append('\n'));
    return text.toString();
  }
}
