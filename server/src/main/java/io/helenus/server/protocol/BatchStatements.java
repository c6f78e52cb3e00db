package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a BATCH, each a text or a prepared statement's id, with its values. Filled
 * again for each request: good until the request's handler returns. One thread.
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

    /** The statement's text, null when it is a prepared one. */
    public @Nullable String text() {
      return text;
    }

    /** Where the prepared statement's id starts in the segment of {@link #values}. */
    public int idOffset() {
      return idOffset;
    }

    /** The prepared statement's id's length in bytes. */
    public int idLength() {
      return idLength;
    }

    /** Its values. */
    public BoundValues values() {
      return values;
    }
  }

  private final List<Statement> statements = new ArrayList<>();
  private int size;

  /** How many statements there are. */
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

  /** Adds a statement given as text; the caller then fills its values. */
  public Statement add(MemorySegment segment, String text) {
    Statement statement = next(segment);
    statement.text = text;
    return statement;
  }

  /** Adds a prepared statement; the caller then fills its values. */
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
