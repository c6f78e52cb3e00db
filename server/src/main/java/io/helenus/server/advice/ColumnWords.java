package io.helenus.server.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words that a name consists of, in lower case: {@code orderStatus} and {@code order_status}
 * are both {@code order, status}. Immutable; any thread.
 *
 * @param words in order
 */
public record ColumnWords(List<String> words) {
  private static final Set<String> ID = set("id uuid guid key");
  private static final Set<String> NOT_AN_ID =
      set(
          "paid unpaid valid invalid grid void avoid hybrid android covid liquid solid fluid"
              + " rapid");

  /** Copies the list. */
  public ColumnWords {
    words = List.copyOf(words);
  }

  /** A set of words, written with blanks between them. */
  static Set<String> set(String words) {
    return Set.of(words.split(" ", -1));
  }

  /** Splits a name. */
  public static ColumnWords of(String name) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean starts =
          Character.isUpperCase(c) && i > 0 && !Character.isUpperCase(name.charAt(i - 1));
      if (!Character.isLetterOrDigit(c) || starts) {
        flush(word, words);
      }
      if (Character.isLetterOrDigit(c)) {
        word.append(c);
      }
    }
    flush(word, words);
    return new ColumnWords(words);
  }

  private static void flush(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString().toLowerCase(Locale.ROOT));
      word.setLength(0);
    }
  }

  /** Whether one of the words is among these. */
  public boolean hasAny(Set<String> any) {
    return words.stream().anyMatch(any::contains);
  }

  /** Whether the last word, which says what a value is, is among these. */
  public boolean endsWith(Set<String> any) {
    return !words.isEmpty() && any.contains(words.getLast());
  }

  /** Whether these words follow each other at the end of the name. */
  public boolean endsWith(String... last) {
    return words.size() >= last.length
        && words.subList(words.size() - last.length, words.size()).equals(List.of(last));
  }

  /**
   * What a name of an identifier identifies: {@code order} of {@code order_id}, {@code orderid} and
   * {@code order_uuid}; empty if the name is {@code id} alone, and all words of other names.
   */
  List<String> entity() {
    if (words.isEmpty()) {
      return words;
    }
    List<String> before = words.subList(0, words.size() - 1);
    String last = words.getLast();
    if (ID.contains(last)) {
      return before;
    }
    if (isGluedId(last)) {
      List<String> entity = new ArrayList<>(before);
      entity.add(last.replaceFirst("(uu|gu|_)?id$", ""));
      return entity;
    }
    return words;
  }

  /** Whether a word ends in "id" without being an English word that does. */
  static boolean isGluedId(String word) {
    return word.length() > 3 && word.endsWith("id") && !NOT_AN_ID.contains(word);
  }

  /** Whether the name consists of this one word. */
  public boolean is(String word) {
    return words.size() == 1 && words.getFirst().equals(word);
  }
}
