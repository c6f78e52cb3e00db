package io.helenus.server.query.selection;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a SELECT reads. Each has a slot, a user type that is not frozen one for each of
 * its fields; static columns come first. Immutable; callers must not modify the arrays.
 */
public final class ReadColumns {
  /** The slot of an unread column. */
  public static final int NOT_READ = -1;

  private static final int FIRST_KEY_SLOT = -2;

  private final int[] slotById;
  private final int[] ids;
  private final int staticCount;
  private final int count;
  private final boolean keyCells;
  private final @Nullable CollectionCells[] collections;
  private final boolean hasCollections;
  private final int[] fieldCounts;
  private final boolean hasFields;
  private final boolean plain;
  private final boolean[] whole;

  private ReadColumns(Builder from) {
    List<ColumnSchema> cells = new ArrayList<>(from.statics);
    cells.addAll(from.regular);
    staticCount = slots(from.statics);
    count = slots(cells);
    collections = new CollectionCells[count];
    fieldCounts = new int[count];
    slotById = new int[from.table.lastColumnId() + 1];
    Arrays.fill(slotById, NOT_READ);
    int[] found = new int[cells.size() + from.table.clusteringColumns().size()];
    int at = 0;
    boolean anyCollection = false;
    whole = new boolean[count];
    boolean anyField = false;
    int slot = 0;
    for (ColumnSchema column : cells) {
      slotById[column.id()] = slot;
      found[at++] = column.id();
      whole[slot] = from.whole.contains(column);
      fieldCounts[slot] = fields(column);
      if (fieldCounts[slot] > 0) {
        anyField = true;
      } else if (column.multiCell()) {
        collections[slot] = CollectionCells.of(column.type());
        anyCollection = true;
      }
      slot += slots(column);
    }
    hasCollections = anyCollection;
    hasFields = anyField;
    boolean anyKeyCell = false;
    for (ColumnSchema column : from.table.clusteringColumns()) {
      KeyEncoding encoding = column.type().keyEncoding();
      if (encoding != null && encoding.keepsWireValue()) {
        slotById[column.id()] = FIRST_KEY_SLOT - column.position();
        found[at++] = column.id();
        anyKeyCell = true;
      }
    }
    keyCells = anyKeyCell;
    plain = !anyCollection && !anyField && !anyKeyCell;
    ids = Arrays.copyOf(found, at);
    Arrays.sort(ids);
  }

  private static int slots(List<ColumnSchema> columns) {
    return columns.stream().mapToInt(ReadColumns::slots).sum();
  }

  private static int slots(ColumnSchema column) {
    return Math.max(fields(column), 1);
  }

  /** The number of fields that are stored as cells. */
  private static int fields(ColumnSchema column) {
    return column.multiCell() && column.type() instanceof UserType type
        ? type.fieldNames().size()
        : 0;
  }

  /** The ids of the columns to read, ascending. */
  public int[] ids() {
    return ids;
  }

  /**
   * The slot of a column by its id, or of the first of its fields; {@link #NOT_READ} for none, and
   * a smaller value for a clustering column whose cell holds its wire value.
   */
  public int slot(int columnId) {
    return columnId < slotById.length ? slotById[columnId] : NOT_READ;
  }

  /** The position of the clustering column whose wire value has this slot. */
  public static int clusteringPosition(int slot) {
    return FIRST_KEY_SLOT - slot;
  }

  /** The number of slots of static columns, which come first. */
  public int staticCount() {
    return staticCount;
  }

  /** The number of slots. */
  public int count() {
    return count;
  }

  /** Whether each slot is a column with at most one cell in a row. */
  boolean isPlain() {
    return plain;
  }

  /** Whether rows may have cells holding the wire values of clustering columns. */
  public boolean hasKeyCells() {
    return keyCells;
  }

  /** Whether any column to read is multi-cell. */
  public boolean hasCollections() {
    return hasCollections;
  }

  /** How to read the cells of a slot's multi-cell column; null if the slot has one cell. */
  public @Nullable CollectionCells collection(int slot) {
    return collections[slot];
  }

  /** Whether any column to read is a user type that is not frozen. */
  boolean hasFields() {
    return hasFields;
  }

  /** How many slots from this one on are the fields of a user type; 0 if none. */
  int fieldCount(int slot) {
    return fieldCounts[slot];
  }

  /** Whether all elements of a slot's multi-cell column are read, not only ranges of them. */
  boolean needsWhole(int slot) {
    return whole[slot];
  }

  /** Collects the columns of a plan. Slots are assigned once all columns are known. */
  public static final class Builder {
    private final TableSchema table;
    private final List<ColumnSchema> statics = new ArrayList<>();
    private final List<ColumnSchema> regular = new ArrayList<>();
    private final List<ColumnSchema> whole = new ArrayList<>();

    public Builder(TableSchema table) {
      this.table = table;
    }

    /** Adds a column with all its elements. */
    public void add(ColumnSchema column) {
      whole.add(column);
      addPart(column);
    }

    /** Adds a column of which only ranges of elements may be read. */
    public void addPart(ColumnSchema column) {
      switch (column.kind()) {
        case STATIC -> addOnce(column, statics);
        case REGULAR -> addOnce(column, regular);
        case PARTITION_KEY, CLUSTERING -> {}
      }
    }

    private static void addOnce(ColumnSchema column, List<ColumnSchema> columns) {
      if (!columns.contains(column)) {
        columns.add(column);
      }
    }

    public ReadColumns build() {
      return new ReadColumns(this);
    }
  }
}
