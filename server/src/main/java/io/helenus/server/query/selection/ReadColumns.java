package io.helenus.server.query.selection;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a SELECT reads, each cell with a slot: those of static columns first. Immutable;
 * the arrays must not be changed.
 */
public final class ReadColumns {
  /** The slot of a column that is not read. */
  public static final int NOT_READ = -1;

  private static final int FIRST_KEY_SLOT = -2;

  private final int[] slotById;
  private final int[] ids;
  private final int staticCount;
  private final int count;
  private final boolean keyCells;
  private final @Nullable CollectionCells[] collections;
  private final boolean hasCollections;

  private ReadColumns(Builder from) {
    List<ColumnSchema> cells = new ArrayList<>(from.statics);
    cells.addAll(from.regular);
    staticCount = from.statics.size();
    count = cells.size();
    collections = new CollectionCells[count];
    slotById = new int[from.table.lastColumnId() + 1];
    Arrays.fill(slotById, NOT_READ);
    int[] found = new int[count + from.table.clusteringColumns().size()];
    int at = 0;
    boolean anyCollection = false;
    for (int slot = 0; slot < count; slot++) {
      slotById[cells.get(slot).id()] = slot;
      found[at++] = cells.get(slot).id();
      if (cells.get(slot).multiCell()) {
        collections[slot] = CollectionCells.of(cells.get(slot).type());
        anyCollection = true;
      }
    }
    hasCollections = anyCollection;
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
    ids = Arrays.copyOf(found, at);
    Arrays.sort(ids);
  }

  /** The ids of the columns that are read, ascending. */
  public int[] ids() {
    return ids;
  }

  /**
   * The slot of a column by its id; {@link #NOT_READ} for none, less for a clustering column whose
   * cell holds its wire value.
   */
  public int slot(int columnId) {
    return columnId < slotById.length ? slotById[columnId] : NOT_READ;
  }

  /** The position of the clustering column whose wire value has this slot. */
  public static int clusteringPosition(int slot) {
    return FIRST_KEY_SLOT - slot;
  }

  /** How many of the slots, the first ones, are of static columns. */
  public int staticCount() {
    return staticCount;
  }

  /** How many slots there are. */
  public int count() {
    return count;
  }

  /** Whether rows may have cells that hold the wire values of clustering columns. */
  public boolean hasKeyCells() {
    return keyCells;
  }

  /** Whether any column that is read is a multi-cell one. */
  public boolean hasCollections() {
    return hasCollections;
  }

  /** How the cells of a slot's multi-cell column are read; null where the slot has one cell. */
  public @Nullable CollectionCells collection(int slot) {
    return collections[slot];
  }

  /** Gathers the columns of a plan under way. Slots are known once all are gathered. */
  public static final class Builder {
    private final TableSchema table;
    private final List<ColumnSchema> statics = new ArrayList<>();
    private final List<ColumnSchema> regular = new ArrayList<>();

    public Builder(TableSchema table) {
      this.table = table;
    }

    /** This column is read. */
    public void add(ColumnSchema column) {
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
