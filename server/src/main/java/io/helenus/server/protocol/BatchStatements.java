package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a BATCH, each given as text or by the id of a prepared statement, with their
 * values. A flyweight that is refilled for each request: valid until the request's handler returns.
 * Not thread-safe.
 */
public final class BatchStatements {
  private static final int KEPT_STATEMENTS = 256;

  /** One statement of a batch. */
  public static final class Statement {
    private final BoundValues values = new BoundValues();
    private @Nullable String text;
    private int idOffset;
    private int idLength;

    private Statement() {}

    /** The statement's text; null for a prepared statement. */
    public @Nullable String text() {
      return text;
    }

    /** The offset of the prepared statement's id in the segment of {@link #values}. */
    public int idOffset() {
      return idOffset;
    }

    /** The length of the prepared statement's id in bytes. */
    public int idLength() {
      return idLength;
    }

    /** The bound values. */
    public BoundValues values() {
      return values;
    }
  }

  private final List<Statement> statements = new ArrayList<>();
  private int size;

  /** The number of statements. */
  public int size() {
    return size;
  }

  /** The statement at an index. */
  public Statement get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return statements.get(index);
  }

  /** Adds a statement given as text; the caller then adds its values. */
  public Statement add(MemorySegment segment, String text) {
    Statement statement = next(segment);
    statement.text = text;
    return statement;
  }

  /** Adds a prepared statement; the caller then adds its values. */
  public Statement add(MemorySegment segment, int idOffset, int idLength) {
    Statement statement = next(segment);
    statement.text = null;
    statement.idOffset = idOffset;
    statement.idLength = idLength;
    return statement;
  }

  void clear() {
    size = 0;
    if (statements.size() > KEPT_STATEMENTS) {
      statements.subList(KEPT_STATEMENTS, statements.size()).clear();
    }
  }

  private Statement next(MemorySegment segment) {
    if (size == statements.size()) {
      statements.add(new Statement());
    }
    Statement statement = statements.get(size++);
    statement.values.begin(segment);
    return statement;
  }
}
