package io.helenus.server.admin.command;

import java.util.ArrayList;
import java.util.List;

/** Rows of text whose columns are padded to the same width. One thread. */
final class TextTable {
  private final String delimiter;
  private final List<String[]> rows = new ArrayList<>();

  TextTable(String delimiter) {
    this.delimiter = delimiter;
  }

  TextTable row(String... cells) {
    rows.add(cells);
    return this;
  }

  /** Appends the rows, one per line; the last column is padded too. */
  void print(StringBuilder out) {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        out.append(i == 0 ? "" : delimiter).append(row[i]);
        out.repeat(' ', widths[i] - row[i].length());
      }
      out.append('\n');
    }
  }
}
