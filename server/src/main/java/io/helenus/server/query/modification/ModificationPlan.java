package io.helenus.server.query.modification;

import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeySlots;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * INSERT, UPDATE or DELETE, planned. The arrays must not be changed. Alone or in a batch, whose
 * markers are then numbered through.
 */
public final class ModificationPlan implements StatementPlan {
  /** What a run does to the rows that the key restrictions name. */
  public enum Action {
    /** Inserts rows: liveness and cells. */
    INSERT,
    /** Sets or deletes cells. */
    SET_CELLS,
    /** Deletes whole rows. */
    DELETE_ROWS,
    /** Deletes ranges of rows. */
    DELETE_RANGES,
    /** Deletes whole partitions. */
    DELETE_PARTITION
  }

  /** The slot of what the statement does not have. */
  public static final int NO_SLOT = -1;

  /** The slot of a cell that the statement deletes. */
  public static final int DELETED = -2;

  private final KeyspaceSchema keyspace;
  private final TableSchema table;
  private final Action action;
  private final boolean qualified;
  private final MarkerColumns markers;
  private final ValueSlots slots;
  private final List<Restriction> partitionKey;
  private final List<Restriction> clustering;
  private final int @Nullable [] partitionKeySlots;
  private final int @Nullable [] clusteringSlots;
  private final KeyLayout keys;
  private final int timestampSlot;
  private final int ttlSlot;
  private final Cells regularCells;
  private final Cells staticCells;
  private final boolean hasRegularCells;

  /**
   * Cells in ascending column id.
   *
   * @param columns their column ids
   * @param slots their values; {@link #DELETED} for none
   * @param keyPositions where the cell keeps the wire value of a clustering column whose key bytes
   *     may not give it back: that column's position; else {@link #PLAIN} or {@link #COLLECTION}
   * @param collections how the value of a multi-cell column is taken apart into cells; null for a
   *     column of one cell
   */
  public record Cells(
      int[] columns, int[] slots, int[] keyPositions, @Nullable CollectionCells[] collections) {
    /** A column of one cell. */
    public static final int PLAIN = -1;

    /** A column of cells by path. */
    public static final int COLLECTION = -2;

    /** How many. */
    public int count() {
      return columns.length;
    }

    /** The same with a cell for each clustering column whose key bytes may lose the spelling. */
    Cells withKeyCells(TableSchema table, int @Nullable [] clusteringSlots) {
      if (clusteringSlots == null) {
        return this;
      }
      CellsBuilder all = new CellsBuilder();
      for (int i = 0; i < columns.length; i++) {
        all.putRegular(columns[i], slots[i], keyPositions[i], collections[i]);
      }
      boolean any = false;
      for (int i = 0; i < clusteringSlots.length; i++) {
        ColumnSchema column = table.clusteringColumns().get(i);
        KeyEncoding encoding = column.type().keyEncoding();
        if (encoding != null && encoding.keepsWireValue()) {
          all.putRegular(column.id(), clusteringSlots[i], i, null);
          any = true;
        }
      }
      return any ? all.regular() : this;
    }
  }

  ModificationPlan(
      KeyspaceSchema keyspace,
      TableSchema table,
      Action action,
      boolean qualified,
      MarkerColumns markers,
      ValueSlots slots,
      WherePlan where,
      int timestampSlot,
      int ttlSlot,
      Cells regularCells,
      Cells staticCells) {
    this.keyspace = keyspace;
    this.table = table;
    this.action = action;
    this.qualified = qualified;
    this.markers = markers;
    this.slots = slots;
    this.partitionKey = where.partitionKey();
    this.clustering = where.clustering();
    KeySlots keySlots = KeySlots.of(where);
    this.partitionKeySlots = keySlots.partition();
    this.clusteringSlots = keySlots.clustering();
    this.keys = new KeyLayout(table);
    this.timestampSlot = timestampSlot;
    this.ttlSlot = ttlSlot;
    this.regularCells = regularCells.withKeyCells(table, clusteringSlots);
    this.staticCells = staticCells;
    this.hasRegularCells = regularCells.count() > 0;
  }

  /** The keyspace of the table. */
  public KeyspaceSchema keyspace() {
    return keyspace;
  }

  /** The table written to. */
  public TableSchema table() {
    return table;
  }

  /** What it does. */
  public Action action() {
    return action;
  }

  /** Its values. */
  public ValueSlots slots() {
    return slots;
  }

  /** One restriction for each partition key column. */
  public List<Restriction> partitionKey() {
    return partitionKey;
  }

  /** The restrictions of clustering columns; empty where only static columns are written. */
  public List<Restriction> clustering() {
    return clustering;
  }

  /** The slot of each partition key column where all are restricted by =; else null. */
  public int @Nullable [] partitionKeySlots() {
    return partitionKeySlots;
  }

  /** The slot of each restricted clustering column where all of these are by =; else null. */
  public int @Nullable [] clusteringSlots() {
    return clusteringSlots;
  }

  /** How the keys of the table are made of values. */
  public KeyLayout keys() {
    return keys;
  }

  /** The slot of USING TIMESTAMP, or {@link #NO_SLOT}. */
  public int timestampSlot() {
    return timestampSlot;
  }

  /** The slot of USING TTL, or {@link #NO_SLOT}. */
  public int ttlSlot() {
    return ttlSlot;
  }

  /** The cells of each row. */
  public Cells regularCells() {
    return regularCells;
  }

  /** The cells of the static row. */
  public Cells staticCells() {
    return staticCells;
  }

  /** Whether rows are written to: false when only static columns are. */
  public boolean writesRows() {
    return action != Action.INSERT && action != Action.SET_CELLS
        || hasRegularCells
        || staticCells.count() == 0
        || !clustering.isEmpty()
        || !table.hasClusteringColumns();
  }

  @Override
  public Kind kind() {
    return Kind.MODIFICATION;
  }

  @Override
  public MarkerColumns markerColumns() {
    return markers;
  }

  @Override
  public boolean isQualified() {
    return qualified;
  }
}
