package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Changes of lists in one partition of one table that depend on the present elements of the lists:
 * values are copied from the request, then the rows are read, then the cells are written. One
 * thread at a time.
 */
final class ListRewrites implements DependentCells {
  private static final byte[] STATIC = {KeyFormat.SECTION_STATIC};

  private final List<Change> changes = new ArrayList<>();
  private final TreeMap<byte[], Map<Integer, Elements>> byRow =
      new TreeMap<>(Arrays::compareUnsigned);
  private final long nowSeconds;
  private final CollectionElements.ListPaths listPaths;
  private int statements;

  /** The time at which a change is written. */
  private record Times(long timestampMicros, long nowSeconds, int ttlSeconds, long expirySeconds) {}

  private enum Kind {
    SET,
    DELETE,
    REMOVE,
    ADD,
    CLEAR
  }

  /**
   * A change with its values.
   *
   * @param statement the number of its statement
   * @param index of a change by index
   * @param value of SET; null deletes
   * @param unset whether a change by index only checks the index (SET), or does nothing (DELETE)
   * @param elements the values of REMOVE, the elements of ADD
   */
  private record Change(
      int statement,
      byte[] suffix,
      int column,
      Kind kind,
      int index,
      byte @Nullable [] value,
      boolean unset,
      List<Element> elements,
      Times times) {}

  /**
   * An element of a list.
   *
   * @param path empty for a value that is to be removed
   * @param value null if it is deleted
   */
  private record Element(byte[] path, byte @Nullable [] value, long timestampMicros) {
    /** Whether this version of an element wins over another one. */
    boolean wins(Element other) {
      if (timestampMicros != other.timestampMicros) {
        return timestampMicros > other.timestampMicros;
      }
      return value == null
          || other.value != null && Arrays.compareUnsigned(value, other.value) >= 0;
    }
  }

  /** A list as it was read, and as the current statement has changed it so far. */
  private static final class Elements {
    private final TreeMap<byte[], Element> read = new TreeMap<>(Arrays::compareUnsigned);
    private TreeMap<byte[], Element> current = new TreeMap<>(Arrays::compareUnsigned);
    private int statement = -1;

    void begin(int newStatement) {
      if (statement != newStatement) {
        statement = newStatement;
        current = new TreeMap<>(read);
      }
    }

    List<Element> live() {
      return current.values().stream().filter(element -> element.value != null).toList();
    }

    /** Deletes the elements that are not newer. */
    void clear(long timestampMicros) {
      current.values().removeIf(element -> element.timestampMicros <= timestampMicros);
    }

    void put(Element element) {
      Element known = current.get(element.path);
      if (known == null || element.wins(known)) {
        current.put(element.path, element);
      }
    }
  }

  ListRewrites(long nowSeconds, CollectionElements.ListPaths listPaths) {
    this.nowSeconds = nowSeconds;
    this.listPaths = listPaths;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /**
   * Checks the values of a modification.
   *
   * @throws CqlException INVALID if an index is null
   */
  static void check(ListRewrite.Plan plan, BoundSlots bound) {
    plan.regular().forEach(rewrite -> requireIndexes(rewrite, bound));
    plan.statics().forEach(rewrite -> requireIndexes(rewrite, bound));
  }

  private static void requireIndexes(ListRewrite rewrite, BoundSlots bound) {
    for (ElementChange change : rewrite.changes()) {
      if (change instanceof ElementChange.SetAt(int indexSlot, int ignored)) {
        requireIndex(bound.length(indexSlot));
        if (bound.length(indexSlot) == BoundSlots.UNSET) {
          throw CqlException.invalid("Invalid unset value for list index");
        }
      } else if (change instanceof ElementChange.RemoveAt(int indexSlot)) {
        requireIndex(bound.length(indexSlot));
      }
    }
  }

  private static void requireIndex(int length) {
    if (length == BoundSlots.NULL) {
      throw CqlException.invalid("Invalid null value for list index");
    }
    if (length == 0) {
      throw CqlException.invalid("Invalid empty value for list index");
    }
  }

  /**
   * Adds the changes of a statement, copying its values: those of its first row, of the static row,
   * and of its other rows. The first one that fails is reported.
   *
   * @throws CqlException INVALID if an index is null
   */
  void add(ModificationPlan plan, BoundSlots bound, WriteTimes writeTimes) {
    check(plan.rewrites(), bound);
    Times times =
        new Times(
            writeTimes.timestampMicros(),
            writeTimes.nowSeconds(),
            writeTimes.ttlSeconds(),
            writeTimes.expirySeconds());
    statements++;
    ClusteringRanges ranges = new ClusteringRanges();
    ranges.build(plan.clustering(), plan.keys(), bound);
    if (ranges.count() == 0) {
      return;
    }
    List<ListRewrite> regular = plan.rewrites().regular();
    for (int i = 0; i < ranges.count(); i++) {
      bound.nextRow();
      if (!regular.isEmpty()) {
        byte[] suffix =
            Bytes.toArray(ranges.segment(), ranges.lowerOffset(i), ranges.lowerLength(i));
        regular.forEach(rewrite -> add(suffix, rewrite, bound, times));
      }
      if (i == 0) {
        plan.rewrites().statics().forEach(rewrite -> add(STATIC, rewrite, bound, times));
      }
    }
  }

  private void add(byte[] suffix, ListRewrite rewrite, BoundSlots bound, Times times) {
    byRow
        .computeIfAbsent(suffix, key -> new HashMap<>())
        .computeIfAbsent(rewrite.column(), column -> new Elements());
    for (ElementChange change : rewrite.changes()) {
      changes.add(copy(suffix, rewrite, change, bound, times));
    }
  }

  private Change copy(
      byte[] suffix, ListRewrite rewrite, ElementChange change, BoundSlots bound, Times times) {
    int column = rewrite.column();
    return switch (change) {
      case ElementChange.SetAt(int indexSlot, int slot) ->
          new Change(
              statements,
              suffix,
              column,
              Kind.SET,
              index(indexSlot, bound),
              value(slot, bound),
              bound.length(slot) == BoundSlots.UNSET,
              List.of(),
              times);
      case ElementChange.RemoveAt(int indexSlot) -> {
        boolean unset = bound.length(indexSlot) == BoundSlots.UNSET;
        int index = unset ? 0 : index(indexSlot, bound);
        yield new Change(
            statements, suffix, column, Kind.DELETE, index, null, unset, List.of(), times);
      }
      case ElementChange.RemoveValues(int slot) ->
          withElements(suffix, column, Kind.REMOVE, elements(slot, bound), times);
      case ElementChange.Add(int slot) ->
          withElements(suffix, column, Kind.ADD, added(rewrite, slot, false, bound, times), times);
      case ElementChange.Prepend(int slot) ->
          withElements(suffix, column, Kind.ADD, added(rewrite, slot, true, bound, times), times);
      case ElementChange.Clear ignored ->
          withElements(suffix, column, Kind.CLEAR, List.of(), times);
      case ElementChange.Replace ignored -> throw new IllegalStateException("a whole list");
      case ElementChange.Remove ignored -> throw new IllegalStateException("not a list");
      case ElementChange.Put ignored -> throw new IllegalStateException("not a list");
      case ElementChange.RemoveOne ignored -> throw new IllegalStateException("not a list");
    };
  }

  private Change withElements(
      byte[] suffix, int column, Kind kind, List<Element> elements, Times times) {
    return new Change(statements, suffix, column, kind, 0, null, false, elements, times);
  }

  /** The elements to append or prepend, with new paths. */
  private List<Element> added(
      ListRewrite rewrite, int slot, boolean prepended, BoundSlots bound, Times times) {
    List<Element> added = new ArrayList<>();
    if (!CollectionWriter.hasElements(slot, bound)) {
      return added;
    }
    CollectionElements elements = new CollectionElements();
    elements.begin(rewrite.cells());
    if (prepended) {
      elements.prepend(bound.segment(slot), bound.offset(slot), listPaths);
    } else {
      elements.add(bound.segment(slot), bound.offset(slot), listPaths);
    }
    elements.end();
    for (int i = 0; i < elements.count(); i++) {
      added.add(
          new Element(
              Bytes.toArray(elements.segment(), elements.pathOffset(i), elements.pathLength(i)),
              Bytes.toArray(elements.segment(), elements.valueOffset(i), elements.valueLength(i)),
              times.timestampMicros));
    }
    return added;
  }

  private static int index(int slot, BoundSlots bound) {
    return Bytes.getInt(bound.segment(slot), bound.offset(slot));
  }

  private static byte @Nullable [] value(int slot, BoundSlots bound) {
    int length = bound.length(slot);
    return length < 0 ? null : Bytes.toArray(bound.segment(slot), bound.offset(slot), length);
  }

  private static List<Element> elements(int slot, BoundSlots bound) {
    List<Element> elements = new ArrayList<>();
    if (!CollectionWriter.hasElements(slot, bound)) {
      return elements;
    }
    MemorySegment segment = bound.segment(slot);
    long at = bound.offset(slot);
    int count = Bytes.getInt(segment, at);
    at += 4;
    for (int i = 0; i < count; i++) {
      int length = Bytes.getInt(segment, at);
      elements.add(new Element(new byte[0], Bytes.toArray(segment, at + 4, length), 0));
      at += 4 + length;
    }
    return elements;
  }

  /** The ids of the columns to read. */
  Set<Integer> columns() {
    Set<Integer> columns = new TreeSet<>();
    changes.forEach(change -> columns.add(change.column));
    return columns;
  }

  /** Adds rows and columns to a request of the partition. */
  void addTo(ReadRequest request) {
    request
        .columns(columns().stream().mapToInt(Integer::intValue).toArray())
        .wantsStatic(byRow.containsKey(STATIC))
        .wantsRows(false);
    for (byte[] suffix : byRow.keySet()) {
      if (suffix[0] != KeyFormat.SECTION_STATIC) {
        MemorySegment bytes = new ByteWriter(suffix.length).putBytes(suffix).segment();
        request.wantsRows(true).addRow(bytes, 0, suffix.length);
      }
    }
  }

  @Override
  public void begin() {
    for (Map<Integer, Elements> ofRow : byRow.values()) {
      for (Elements elements : ofRow.values()) {
        elements.read.clear();
        elements.statement = -1;
      }
    }
  }

  @Override
  public void staticRow(RowView row) {
    read(byRow.get(STATIC), row);
  }

  @Override
  public boolean row(MemorySegment clustering, long offset, int length, RowView row) {
    byte[] suffix = new byte[length + 1];
    suffix[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(Bytes.toArray(clustering, offset, length), 0, suffix, 1, length);
    read(byRow.get(suffix), row);
    // like Cassandra, which reads what the conditions need
    return false;
  }

  private void read(@Nullable Map<Integer, Elements> ofRow, RowView row) {
    if (ofRow == null) {
      return;
    }
    row.rewind();
    while (row.nextCell()) {
      Elements elements = ofRow.get(row.column());
      if (elements != null && row.pathLength() >= 0 && row.cellIsLive(nowSeconds)) {
        byte[] path = Bytes.toArray(row.segment(), row.pathOffset(), row.pathLength());
        byte[] value = Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength());
        elements.read.put(path, new Element(path, value, row.cellTimestamp()));
      }
    }
  }

  /**
   * Writes the changed cells, each change as an entry of its own. The changes of a statement see
   * the earlier ones of the same statement, as in Cassandra, but not those of other statements.
   *
   * @throws CqlException INVALID if there is no element at an index
   */
  @Override
  public boolean write(long shiftMicros, MutationWriter out) {
    boolean any = false;
    for (Change change : changes) {
      List<Element> written = written(change, shiftMicros);
      if (!written.isEmpty() || change.kind == Kind.CLEAR) {
        write(change, written, change.times.timestampMicros + shiftMicros, out);
        any = true;
      }
    }
    return any;
  }

  /** The cells that a change writes, which following changes of the statement see. */
  private List<Element> written(Change change, long shiftMicros) {
    Map<Integer, Elements> ofRow = byRow.get(change.suffix);
    Elements elements = ofRow == null ? null : ofRow.get(change.column);
    if (elements == null) {
      throw new IllegalStateException("a change of a list that is not read");
    }
    elements.begin(change.statement);
    long timestamp = change.times.timestampMicros + shiftMicros;
    List<Element> written =
        switch (change.kind) {
          case SET, DELETE -> at(change, elements.live(), timestamp);
          case REMOVE -> removed(change, elements.live(), timestamp);
          case ADD ->
              change.elements.stream()
                  .map(added -> new Element(added.path, added.value, timestamp))
                  .toList();
          case CLEAR -> {
            elements.clear(timestamp);
            yield List.of();
          }
        };
    written.forEach(elements::put);
    return written;
  }

  private static List<Element> at(Change change, List<Element> live, long timestamp) {
    boolean deletes = change.kind == Kind.DELETE;
    if (deletes && change.unset) {
      return List.of();
    }
    if (live.isEmpty()) {
      throw CqlException.invalid(
          deletes
              ? "Attempted to delete an element from a list which is null"
              : "Attempted to set an element on a list which is null");
    }
    if (change.index < 0 || change.index >= live.size()) {
      throw CqlException.invalid(
          "List index " + change.index + " out of bound, list has size " + live.size());
    }
    return change.unset
        ? List.of()
        : List.of(new Element(live.get(change.index).path, change.value, timestamp));
  }

  private static List<Element> removed(Change change, List<Element> live, long timestamp) {
    List<Element> removed = new ArrayList<>();
    for (Element element : live) {
      if (change.elements.stream().anyMatch(each -> Arrays.equals(each.value, element.value))) {
        removed.add(new Element(element.path, null, timestamp));
      }
    }
    return removed;
  }

  private static void write(
      Change change, List<Element> written, long timestampMicros, MutationWriter out) {
    ByteWriter suffix = bytes(change.suffix);
    out.beginRow(suffix.segment(), 0, suffix.size());
    if (change.times.ttlSeconds > 0) {
      out.rowExpiry(change.times.ttlSeconds, change.times.expirySeconds);
    }
    if (change.kind == Kind.CLEAR) {
      out.columnDeletion(change.column, timestampMicros, change.times.nowSeconds());
    }
    for (Element element : written) {
      ByteWriter path = bytes(element.path);
      byte[] value = element.value;
      if (value == null) {
        out.pathTombstone(
            change.column,
            element.timestampMicros,
            change.times.nowSeconds,
            path.segment(),
            0,
            path.size());
      } else {
        ByteWriter content = bytes(value);
        out.pathCell(
            change.column,
            element.timestampMicros,
            path.segment(),
            0,
            path.size(),
            content.segment(),
            0,
            content.size());
      }
    }
    out.endRow();
  }

  private static ByteWriter bytes(byte[] value) {
    return new ByteWriter(Math.max(1, value.length)).putBytes(value);
  }
}
