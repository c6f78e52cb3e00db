package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.query.condition.ConditionTest;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.MutationTimes;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The write of a conditional statement or batch: its mutation is encoded in advance with
 * placeholder timestamps, and written if the rows meet the conditions. One thread at a time.
 */
final class ConditionalWrite implements ComputedWrite {
  /**
   * The placeholder for the timestamp of the write. Encoded timestamps are relative to it:
   * deletions that must not cover cells of the same write are one microsecond older.
   */
  static final long PLACEHOLDER_MICROS = 0;

  private final ReadRequest request;
  private final ConditionTest test;
  private final ByteWriter mutation;
  private final boolean writesAny;
  private final List<DependentCells> dependent;
  private final WriteGuardrails.Outcome guarded;
  private boolean applied;

  /**
   * Creates a write.
   *
   * @param mutation with placeholder timestamps; owned by the write from now on
   * @param writesAny false if the mutation is empty
   * @param dependent cells to be added to the mutation; their columns are read
   * @param guarded the outcome of the guardrails, which counts only if the conditions hold
   */
  ConditionalWrite(
      ReadRequest request,
      ConditionTest test,
      ByteWriter mutation,
      boolean writesAny,
      List<DependentCells> dependent,
      WriteGuardrails.Outcome guarded) {
    this.guarded = guarded;
    this.request = request;
    this.test = test;
    this.mutation = mutation;
    this.writesAny = writesAny;
    this.dependent = List.copyOf(dependent);
  }

  @Override
  public ReadRequest request() {
    return request;
  }

  @Override
  public RowSink begin(@Nullable ShareId counterShare) {
    test.begin();
    if (dependent.isEmpty()) {
      return test;
    }
    dependent.forEach(DependentCells::begin);
    return new AllSinks(test, dependent);
  }

  /** Gives rows to the test, which may need fewer of them, and to the dependent cells. */
  private static final class AllSinks implements RowSink {
    private final ConditionTest test;
    private final List<DependentCells> dependent;
    private boolean tested;

    AllSinks(ConditionTest test, List<DependentCells> dependent) {
      this.test = test;
      this.dependent = dependent;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return test.partition(prefix, offset, length);
    }

    @Override
    public Next staticRow(RowView row) {
      dependent.forEach(cells -> cells.staticRow(row));
      return test.staticRow(row);
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      boolean more = false;
      for (DependentCells cells : dependent) {
        more |= cells.row(clustering, offset, length, row);
      }
      if (!tested) {
        tested = test.row(clustering, offset, length, row) == Next.STOP;
      }
      return tested && !more ? Next.STOP : Next.CONTINUE;
    }
  }

  @Override
  public boolean compute(long timestampMicros, ByteWriter out) {
    applied = test.end();
    if (!applied || guarded.violation() != null) {
      return false;
    }
    if (!dependent.isEmpty()) {
      long shift = timestampMicros - PLACEHOLDER_MICROS;
      ByteWriter shifted = new ByteWriter(mutation.size());
      shifted.putBytes(mutation.segment(), 0, mutation.size());
      new MutationTimes().shift(shifted.segment(), 0, shifted.size(), shift);
      return DependentCells.append(shifted, dependent, shift, out);
    }
    if (!writesAny) {
      return false;
    }
    int at = out.size();
    out.putBytes(mutation.segment(), 0, mutation.size());
    new MutationTimes()
        .shift(out.segment(), at, mutation.size(), timestampMicros - PLACEHOLDER_MICROS);
    return true;
  }

  /** The outcome of the guardrails on the values, which counts only if the conditions held. */
  WriteGuardrails.Outcome guarded() {
    return guarded;
  }

  /** Whether the conditions held. */
  boolean applied() {
    return applied;
  }

  /** The test, with the rows to show if the conditions did not hold. */
  ConditionTest test() {
    return test;
  }
}
