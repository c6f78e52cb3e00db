package io.helenus.copy.rows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a row into the statements that write its cells: one for each pair of write time and TTL.
 * The first is an INSERT, because it also keeps a row without any other value; CQL does not tell
 * when a row was inserted, so it takes the cells that live longest, and of those the oldest. Used
 * by one thread, for one section of one row.
 */
final class RowWrites {
  /** The times of cells that one statement can write. */
  private record Group(long timestamp, int ttl) {}

  /** Those without TTL first, then those that expire last; the oldest of them. */
  private static final Comparator<Group> LONGEST_LIVED =
      Comparator.comparingLong((Group group) -> group.ttl == 0 ? Long.MIN_VALUE : -group.ttl)
          .thenComparingLong(Group::timestamp);

  private final Table table;
  private final Section section;
  private final RowData row;
  private final Map<Group, @Nullable ByteBuffer[]> groups = new LinkedHashMap<>();
  private final List<Write> lists = new ArrayList<>();

  /** Of all elements of lists, those too that the target has. */
  private final Set<Group> listTimes = new HashSet<>();

  private RowWrites(Table table, Section section, RowData row) {
    this.table = table;
    this.section = section;
    this.row = row;
  }

  /**
   * The statements in the order in which they are to be executed.
   *
   * @param existing the target's row, whose lists must not be appended to again, or null
   * @param now the timestamp of what has none: rows without values, and elements whose times the
   *     server does not tell in rows without other values
   */
  static List<Write> of(
      Table table, Section section, RowData row, @Nullable RowData existing, long now) {
    RowWrites writes = new RowWrites(table, section, row);
    for (int n = 0; n < section.columns().size(); n++) {
      if (row.values()[section.columns().get(n)] != null) {
        writes.add(n, existing, null);
      }
    }
    Group longest = writes.longestLived(new Group(now, 0));
    for (int n = 0; n < section.columns().size(); n++) {
      if (row.values()[section.columns().get(n)] != null) {
        writes.add(n, existing, longest);
      }
    }
    return writes.statements(longest);
  }

  private Group longestLived(Group none) {
    return Stream.concat(groups.keySet().stream(), listTimes.stream())
        .min(LONGEST_LIVED)
        .orElse(none);
  }

  /** Adds a column whose times are known, or with the times of a group one whose are not. */
  private void add(int n, @Nullable RowData existing, @Nullable Group times) {
    int column = section.columns().get(n);
    boolean known = row.writeTimes()[column] != null;
    if (known != (times == null)) {
      return;
    }
    ByteBuffer value = row.values()[column];
    if (value == null) {
      return;
    }
    switch (table.columns().get(column).form()) {
      case SIMPLE -> addCell(cell(column), section.firstSlot(n), value);
      case FIELDS -> addFields(column, n, value, times);
      case LIST -> addList(column, value, existing, times);
      case SET, MAP -> addElements(column, section.firstSlot(n), value, times);
      case COUNTER -> throw new IllegalStateException("counters have no write times");
    }
  }

  /** The group of each cell of a column. */
  private Group[] cells(int column, int count, @Nullable Group times) {
    Group[] cells = new Group[count];
    if (times != null) {
      Arrays.fill(cells, times);
      return cells;
    }
    long[] written = Elements.writeTimes(row.writeTimes()[column], count);
    int[] ttls = Elements.ttls(row.ttls()[column], count);
    for (int i = 0; i < count; i++) {
      cells[i] = new Group(written[i], ttls[i]);
    }
    return cells;
  }

  private void addCell(Group group, int slot, ByteBuffer value) {
    groups.computeIfAbsent(group, _ -> new @Nullable ByteBuffer[section.slots()])[slot] = value;
  }

  private Group cell(int column) {
    ByteBuffer written = row.writeTimes()[column];
    if (written == null) {
      throw new IllegalStateException("a cell without a write time");
    }
    return new Group(written.getLong(written.position()), Elements.remaining(row.ttls()[column]));
  }

  private void addFields(int column, int n, ByteBuffer value, @Nullable Group times) {
    int first = section.firstSlot(n);
    int end = n + 1 < section.columns().size() ? section.firstSlot(n + 1) : section.slots();
    @Nullable ByteBuffer[] fields = Elements.fields(value, end - first);
    Group[] cells = cells(column, fields.length, times);
    for (int i = 0; i < fields.length; i++) {
      ByteBuffer field = fields[i];
      if (field != null) {
        addCell(cells[i], first + i, field);
      }
    }
  }

  private void addElements(int column, int slot, ByteBuffer value, @Nullable Group times) {
    List<ByteBuffer> elements = Elements.split(value, table.columns().get(column).form());
    Group[] cells = cells(column, elements.size(), times);
    Map<Group, List<ByteBuffer>> parts = new LinkedHashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      parts.computeIfAbsent(cells[i], _ -> new ArrayList<>()).add(elements.get(i));
    }
    parts.forEach((group, part) -> addCell(group, slot, Elements.join(part)));
  }

  /** Appends run by run, so that the order stays; what the target already has is left out. */
  private void addList(
      int column, ByteBuffer value, @Nullable RowData existing, @Nullable Group times) {
    List<ByteBuffer> elements = Elements.split(value, Column.Form.LIST);
    ByteBuffer present = existing == null ? null : existing.values()[column];
    List<ByteBuffer> before =
        present == null ? List.of() : Elements.split(present, Column.Form.LIST);
    boolean isBeginning =
        before.size() <= elements.size() && elements.subList(0, before.size()).equals(before);
    // an assignment replaces elements that are older
    Write.Kind kind = isBeginning ? Write.Kind.APPEND : Write.Kind.ASSIGN;
    Group[] cells = cells(column, elements.size(), times);
    listTimes.addAll(List.of(cells));
    int from = isBeginning ? before.size() : 0;
    while (from < elements.size()) {
      Group group = cells[from];
      int to = from + 1;
      while (to < elements.size() && cells[to].equals(group)) {
        to++;
      }
      @Nullable ByteBuffer[] run = {Elements.join(elements.subList(from, to))};
      lists.add(new Write(kind, column, group.timestamp, group.ttl, run));
      kind = Write.Kind.APPEND;
      from = to;
    }
  }

  private List<Write> statements(Group longest) {
    List<Write> statements = new ArrayList<>(groups.size() + lists.size() + 1);
    if (!section.isStatic()) {
      statements.add(insert(longest, groups.get(longest)));
    }
    groups.forEach(
        (group, values) -> {
          if (isAnySet(values)) {
            statements.add(
                new Write(Write.Kind.UPDATE, Write.NO_COLUMN, group.timestamp, group.ttl, values));
          }
        });
    statements.addAll(lists);
    return statements;
  }

  /** Moves the simple slots of a group to an INSERT, which may set nothing but the key. */
  private Write insert(Group group, @Nullable ByteBuffer @Nullable [] values) {
    @Nullable ByteBuffer[] inserted = new @Nullable ByteBuffer[section.slots()];
    if (values != null) {
      for (int slot : section.simpleSlots()) {
        inserted[slot] = values[slot];
        values[slot] = null;
      }
    }
    return new Write(Write.Kind.INSERT, Write.NO_COLUMN, group.timestamp, group.ttl, inserted);
  }

  private static boolean isAnySet(@Nullable ByteBuffer[] values) {
    for (ByteBuffer value : values) {
      if (value != null) {
        return true;
      }
    }
    return false;
  }
}
