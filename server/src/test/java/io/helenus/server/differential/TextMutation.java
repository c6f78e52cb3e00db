package io.helenus.server.differential;

import io.helenus.server.generated.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Mutates the text of a statement token by token, to compare the positions of syntax errors. */
final class TextMutation {
  private static final Pattern TOKEN =
      Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\w+(?:-\\w+)*|\\s+|.", Pattern.DOTALL);
  private static final String[] INSERTED = {
    "(",
    ")",
    ",",
    ";",
    "?",
    ":x",
    "=",
    "<",
    "!=",
    ".",
    "*",
    "'",
    "\"",
    "$$",
    "--",
    "/*",
    "//",
    "and",
    "or",
    "in",
    "select",
    "key",
    "ttl",
    "token",
    "as",
    "with",
    "null",
    "1",
    "'a'",
    "nosuch",
    "count",
    "order by",
    "limit 1",
    "static",
    "[",
    "]",
    "{",
    "}",
    "-",
    "+",
    "%",
    "#",
    "@",
    "é",
    "not",
    "distinct",
    "json",
    "allow filtering",
    "if exists",
    "if not exists",
    "using ttl 1",
    "/* a */",
    "-- a\n ",
    "// a\n ",
    "group by",
    "contains",
    "like",
    "is not null",
    "0x",
    "1d",
    "default unset",
    "default null",
    "between"
  };

  private TextMutation() {}

  /** The text with one or two tokens omitted, duplicated, swapped, replaced or inserted. */
  static String mutate(String text, Choices choices) {
    List<String> tokens = new ArrayList<>();
    for (Matcher matcher = TOKEN.matcher(text); matcher.find(); ) {
      tokens.add(matcher.group());
    }
    for (int i = choices.chance(75) ? 1 : 2; i > 0 && !tokens.isEmpty(); i--) {
      int at = choices.below(tokens.size());
      int other = choices.below(tokens.size());
      switch (choices.below(6)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.add(at, tokens.get(at));
        case 2 -> tokens.set(at, tokens.get(other));
        case 3 -> tokens.add(at, " " + choices.oneOf(INSERTED) + " ");
        case 4 -> tokens.set(at, choices.oneOf(INSERTED));
        default -> {
          String moved = tokens.get(at);
          tokens.set(at, tokens.get(other));
          tokens.set(other, moved);
        }
      }
    }
    return String.join("", tokens);
  }
}
