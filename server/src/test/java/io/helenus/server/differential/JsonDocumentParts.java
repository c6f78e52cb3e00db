package io.helenus.server.differential;

import java.util.ArrayList;
import java.util.List;

/** The members of a JSON document in a string literal. Stateless. */
final class JsonDocumentParts {
  private JsonDocumentParts() {}

  /** The literal without each of the members in turn; none if there are fewer than two. */
  static List<String> withoutOne(String literal) {
    int open = literal.indexOf('{');
    int close = literal.lastIndexOf('}');
    List<String> shorter = new ArrayList<>();
    if (open < 0 || close < open) {
      return shorter;
    }
    List<String> members = members(literal.substring(open + 1, close));
    for (int i = 0; i < members.size() && members.size() > 1; i++) {
      List<String> rest = new ArrayList<>(members);
      rest.remove(i);
      shorter.add(
          literal.substring(0, open + 1) + String.join(", ", rest) + literal.substring(close));
    }
    return shorter;
  }

  /** Splits at the commas that are in no string and no brackets. */
  private static List<String> members(String text) {
    List<String> members = new ArrayList<>();
    boolean quoted = false;
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '{' || c == '[')) {
        depth++;
      } else if (!quoted && (c == '}' || c == ']')) {
        depth--;
      } else if (!quoted && depth == 0 && c == ',') {
        members.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    members.add(text.substring(from).strip());
    return members;
  }
}
