package io.helenus.storage.nearest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import io.helenus.storage.vector.VectorScore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sinks of a read of nearest rows: one that checks whether a candidate's row is live and its
 * present vector has the score it was found for, one that passes the row on, and one that does both
 * at once. Counts the rows that are kept, and tells which of them would come twice. Shard thread
 * only.
 */
final class NearestOutput {
  /** What a candidate's row is read for. */
  enum Reads {
    /** Whether it belongs here. */
    CHECK,
    /** It is known to belong here and passed on. */
    PASS,
    /** Both, if the static row and elements are not passed on before the row is seen. */
    CHECK_AND_PASS
  }

  private final ReadRequest request;
  private final int column;
  private final VectorScore score;
  private final float[] vector;
  private final Checking checking = new Checking();
  private final Passing passing = new Passing();
  private final Both both = new Both();
  private @Nullable RowSink sink;
  private float wanted = Float.NaN;
  private boolean present;
  private int kept;

  /** The keys of the rows kept so far that have the score {@code wanted}. */
  private final ByteWriter keptKeys = new ByteWriter(256);

  private final List<Integer> keptEnds = new ArrayList<>();
  private MemorySegment key = MemorySegment.NULL;
  private int keyOffset;
  private int keyLength;

  NearestOutput(IndexDescriptor index, ReadRequest request) {
    this.request = request;
    VectorOptions options = Objects.requireNonNull(index.vectors());
    column = index.columnId();
    vector = new float[options.dimension()];
    score =
        new VectorScore(
            options,
            request.segment(),
            request.lookup().vectorOffset(),
            request.lookup().vectorLength());
  }

  void sink(RowSink current) {
    sink = current;
  }

  private RowSink sink() {
    return Objects.requireNonNull(sink);
  }

  /** The sink of a read. */
  RowSink sinkOf(Reads reads) {
    return switch (reads) {
      case CHECK -> checking;
      case PASS -> passing;
      case CHECK_AND_PASS -> both;
    };
  }

  /** Whether no elements are passed on apart from their rows. */
  boolean passesNoElements() {
    return sink().elements() == null;
  }

  /** How many rows have been kept. */
  int kept() {
    return kept;
  }

  /** Starts with a candidate; false if its row has been kept already. */
  boolean begin(MemorySegment segment, int offset, int length, float candidateScore) {
    if (candidateScore != wanted) {
      wanted = candidateScore;
      keptKeys.clear();
      keptEnds.clear();
    }
    key = segment;
    keyOffset = offset;
    keyLength = length;
    present = false;
    int start = 0;
    for (int end : keptEnds) {
      if (Bytes.equal(segment, offset, length, keptKeys.segment(), start, end - start)) {
        return false;
      }
      start = end;
    }
    return true;
  }

  /** Whether the row is live and its vector has the score. */
  boolean isPresent() {
    return present;
  }

  /** Finds out whether a row has the score. */
  private void check(RowView row) {
    row.rewind();
    while (row.nextCell() && row.column() <= column) {
      if (row.column() == column
          && row.cellIsLive(request.nowSeconds())
          && row.valueLength() == Float.BYTES * vector.length) {
        VectorScore.read(row.segment(), row.valueOffset(), vector);
        present = score.of(vector, VectorScore.squaredLength(vector)) == wanted;
      }
    }
    row.rewind();
  }

  private final class Checking implements RowSink {
    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      check(row);
      return Next.CONTINUE;
    }
  }

  private final class Passing implements RowSink {
    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return sink().partition(prefix, offset, length);
    }

    @Override
    public Next staticRow(RowView row) {
      return sink().staticRow(row);
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      Next next = sink().row(clustering, offset, length, row);
      if (next == Next.KEPT) {
        kept++;
        keptKeys.putBytes(key, keyOffset, keyLength);
        keptEnds.add(keptKeys.size());
        return Next.CONTINUE;
      }
      return next;
    }

    @Override
    public @Nullable ElementSink elements() {
      return sink().elements();
    }
  }

  private final class Both implements RowSink {
    private final ByteWriter prefix = new ByteWriter(64);

    @Override
    public Next partition(MemorySegment segment, long offset, int length) {
      prefix.clear().putBytes(segment, offset, length);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      throw new IllegalStateException("static rows are passed on before their rows");
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      check(row);
      if (!present) {
        return Next.CONTINUE;
      }
      Next next = sink().partition(prefix.segment(), 0, prefix.size());
      return next == Next.CONTINUE ? passing.row(clustering, offset, length, row) : next;
    }
  }
}
