package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The words of the name of a table, in the singular: what its rows are ({@code user, message} of
 * {@code user_messages}), and what they are looked up by ({@code room} of {@code
 * messages_by_room}). Immutable.
 */
record TableWords(List<String> subject, List<String> by) {
  private static final Set<String> BY = ColumnWords.set("by per for in of with");
  private static final Set<String> NOISE = ColumnWords.set("table tbl cf list tab");

  /** Copies the lists. */
  TableWords {
    subject = List.copyOf(subject);
    by = List.copyOf(by);
  }

  /** Splits the name of a table. */
  static TableWords of(TableSchema table) {
    List<String> subject = new ArrayList<>();
    List<String> by = new ArrayList<>();
    boolean after = false;
    for (String word : ColumnWords.of(table.name()).words()) {
      if (BY.contains(word)) {
        after = true;
      } else if (after) {
        by.add(singular(word));
      } else if (!NOISE.contains(word) && !word.matches("v\\d+")) {
        subject.add(singular(word));
      }
    }
    return new TableWords(subject, by);
  }

  private static String singular(String word) {
    if (word.length() < 4
        || word.endsWith("ss")
        || word.endsWith("us")
        || word.endsWith("series")) {
      return word;
    }
    if (word.endsWith("ies")) {
      return word.substring(0, word.length() - 3) + "y";
    }
    if (word.matches(".*(ss|ch|sh|x|us)es")) {
      return word.substring(0, word.length() - 2);
    }
    return word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
  }

  /** What a row is, in one word: {@code message} of {@code user_messages_by_day}; may be empty. */
  String noun() {
    return subject.isEmpty() ? "" : subject.getLast();
  }

  /**
   * Whether a column identifies a row of the table: {@code message_id} or {@code id} of messages.
   */
  boolean isRowId(ColumnSchema column) {
    List<String> entity = Traits.words(column).entity();
    return Traits.isIdentifier(column)
        && (entity.isEmpty() || singular(entity.getLast()).equals(noun()));
  }

  /** Whether the name says that the rows of one value of a column are read together. */
  boolean isReadBy(ColumnSchema column) {
    List<String> entity = Traits.words(column).entity();
    if (entity.isEmpty()) {
      return false;
    }
    String what = entity.getLast();
    return by.contains(what)
        || subject.size() > 1 && subject.subList(0, subject.size() - 1).contains(what);
  }

  /** Whether any of the words is among these. */
  boolean hasAny(Set<String> words) {
    return subject.stream().anyMatch(words::contains) || by.stream().anyMatch(words::contains);
  }
}
