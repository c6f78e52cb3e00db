package io.helenus.server.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a machine was given and what it decided, one line each. */
final class Transcript {
  private final Map<Integer, String> names;
  private final List<String> lines = new ArrayList<>();

  /** Names the actions, by bit. */
  Transcript(Map<Integer, String> names) {
    this.names = names;
  }

  /** Notes an input and the actions that follow. */
  void add(String input, int actions) {
    List<String> named = new ArrayList<>();
    for (int bit = 1; bit <= actions && bit > 0; bit <<= 1) {
      if ((actions & bit) != 0) {
        named.add(names.getOrDefault(bit, "unknown action " + bit));
      }
    }
    lines.add(input + " → " + (named.isEmpty() ? "wait" : String.join(", ", named)));
  }

  /** The lines so far. */
  String text() {
    return String.join("\n", lines) + "\n";
  }
}
