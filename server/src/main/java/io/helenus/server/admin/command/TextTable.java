package io.helenus.server.admin.command;

import java.util.ArrayList;
import java.util.List;

/** Rows of text whose columns are padded to the same width. One thread. */
final class TextTable {
  private final String delimiter;
  private final List<String[]> rows = new ArrayList<>();

  /** The width of each column, of all tables that share it. */
  private final List<Integer> widths;

  TextTable(String delimiter) {
    this(delimiter, new ArrayList<>());
  }

  private TextTable(String delimiter, List<Integer> widths) {
    this.delimiter = delimiter;
    this.widths = widths;
  }

  /** Another table whose columns are as wide as those of this one. */
  TextTable withSameWidths() {
    return new TextTable(delimiter, widths);
  }

  TextTable row(String... cells) {
    rows.add(cells);
    for (int i = 0; i < cells.length; i++) {
      if (i == widths.size()) {
        widths.add(0);
      }
      widths.set(i, Math.max(widths.get(i), cells[i].length()));
    }
    return this;
  }

  /** Appends the rows, one per line; the last column is padded too. */
  void print(StringBuilder out) {
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        out.append(i == 0 ? "" : delimiter).append(row[i]);
        out.repeat(' ', widths.get(i) - row[i].length());
      }
      out.append('\n');
    }
  }
}
