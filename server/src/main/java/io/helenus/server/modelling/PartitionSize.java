package io.helenus.server.modelling;

import io.helenus.server.advice.Growth;
import io.helenus.server.advice.RowSize;
import io.helenus.server.advice.Traits;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a partition of a table will hold at a stated rate. Immutable.
 *
 * @param rate the rate
 * @param growth of a partition that receives rows
 * @param days for how long it grows: the period of its bucket, or the time after which its oldest
 *     rows expire; {@link Double#POSITIVE_INFINITY} without end
 * @param until why it stops growing; empty if it does not
 * @param dividing columns of the partition key that divide the rate, by how much is not known, so
 *     that the size is only an upper bound
 */
public record PartitionSize(
    Rate rate, Growth growth, double days, String until, List<String> dividing) {
  /** The time that is looked ahead. */
  public static final double HORIZON_DAYS = 365;

  private static final double SECONDS_A_DAY = 86_400;

  /** Copies the list. */
  public PartitionSize {
    dividing = List.copyOf(dividing);
  }

  /**
   * Computes the size.
   *
   * @param stated of its rates, that which names the most columns of the partition key is used
   * @return null if no rate is stated for columns of the partition key, or if a partition is a
   *     single row
   */
  static @Nullable PartitionSize of(TableSchema table, Stated stated) {
    List<String> key = table.partitionKey().stream().map(ColumnSchema::name).toList();
    Rate best = null;
    for (Rate each : stated.rates()) {
      if (key.containsAll(each.per()) && (best == null || each.per().size() > best.per().size())) {
        best = each;
      }
    }
    return best == null || table.clusteringColumns().isEmpty() ? null : of(table, best, stated);
  }

  private static PartitionSize of(TableSchema table, Rate rate, Stated stated) {
    double rows = rate.rowsADay();
    double days = Double.POSITIVE_INFINITY;
    String until = "";
    List<String> dividing = new ArrayList<>();
    for (ColumnSchema column : table.partitionKey()) {
      StatedBucket known = bucket(column, stated);
      if (known != null) {
        rows /= known.values();
        if (known.days() < days) {
          days = known.days();
          until = column.name() + " changes";
        }
      } else if (!rate.per().contains(column.name()) && !Traits.isFewValued(column)) {
        dividing.add(column.name());
      }
    }
    double expiry = table.options().defaultTimeToLiveSeconds() / SECONDS_A_DAY;
    if (expiry > 0 && expiry < days) {
      days = expiry;
      until = "rows expire";
    }
    int bytes = rate.rowBytes() > 0 ? rate.rowBytes() : RowSize.ofRow(table);
    Growth growth = new Growth(rows, bytes, RowSize.cellsOfRow(table));
    return new PartitionSize(rate, growth, days, until, dividing);
  }

  /** Whether a column stands for a period of time. */
  static boolean isPeriod(ColumnSchema column, Stated stated) {
    StatedBucket known = bucket(column, stated);
    return known != null && known.days() < Double.POSITIVE_INFINITY;
  }

  /** How a column divides, as stated or as its name says; null if neither does. */
  private static @Nullable StatedBucket bucket(ColumnSchema column, Stated stated) {
    StatedBucket known = stated.bucket(column.name());
    Bucket named = known == null ? Bucket.of(column) : null;
    return named == null ? known : new StatedBucket(column.name(), 1, named.days());
  }

  /** The days of growth within the time that is looked ahead. */
  public double grownDays() {
    return Math.min(days, HORIZON_DAYS);
  }

  /** The bytes at the end of that time. */
  public double bytes() {
    return growth.bytesAfter(grownDays());
  }

  /** The cells at the end of that time. */
  public double cells() {
    return growth.rowsADay() * growth.rowCells() * grownDays();
  }

  /** Whether it passes a limit within that time, as far as is known. */
  public boolean isTooLarge() {
    return dividing.isEmpty() && growth.daysToLimit() < grownDays();
  }
}
