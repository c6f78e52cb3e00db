package io.helenus.server.modelling;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement that reads or writes rows. Immutable.
 *
 * @param file the name of its file
 * @param line the line on which it begins, from 1
 * @param title what the comments before it say; may be empty
 * @param text in one line
 * @param statement as it was parsed; null if that failed
 * @param problem why it was not parsed; empty if it was
 * @param keyspace the keyspace in use; null if there is none
 * @param times how often a log has it; 1 in a script
 */
public record Query(
    String file,
    int line,
    String title,
    String text,
    @Nullable Statement statement,
    String problem,
    @Nullable String keyspace,
    int times) {

  /** The file and the line. */
  public String place() {
    return file + ":" + line;
  }

  /** It as a SELECT; null if it writes. */
  @Nullable SelectStatement select() {
    return statement instanceof SelectStatement select ? select : null;
  }
}
