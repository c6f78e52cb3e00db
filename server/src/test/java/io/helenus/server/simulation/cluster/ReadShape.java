package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Row;
import io.helenus.storage.bytes.Murmur3;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a SELECT asks for.
 *
 * @param partitions their keys; empty for all
 * @param lowC the first value of c; null for all rows, and then the static row, too
 * @param highC the last value of c; unused without a first one
 * @param limit the most rows; 0 for all
 * @param perPartition the most rows of each partition; 0 for all
 * @param filter the value of v of the rows that are asked for; null for all
 * @param onlyV whether only v is selected, besides the key
 * @param pageSize the most rows of a page; -1 for all
 * @param byToken whether the partitions are asked for by the range of their tokens, which has no
 *     others
 */
record ReadShape(
    Model.Table table,
    List<Integer> partitions,
    @Nullable Integer lowC,
    int highC,
    boolean reversed,
    int limit,
    int perPartition,
    @Nullable Integer filter,
    boolean onlyV,
    int pageSize,
    boolean byToken) {
  /** Whole partitions, all of them if none is named. */
  static ReadShape whole(Model.Table table, List<Integer> partitions) {
    return new ReadShape(table, partitions, null, 0, false, 0, 0, null, false, -1, false);
  }

  /** The same of one partition. */
  ReadShape on(int p) {
    return new ReadShape(
        table,
        List.of(p),
        lowC,
        highC,
        reversed,
        limit,
        perPartition,
        filter,
        onlyV,
        pageSize,
        false);
  }

  /** Whether each partition is read at one moment and as a whole. */
  boolean isWhole() {
    return lowC == null
        && limit == 0
        && perPartition == 0
        && filter == null
        && !onlyV
        && pageSize < 0;
  }

  /** The partitions from one to another in the order of their tokens. */
  static List<Integer> between(int p, int other) {
    long low = Math.min(token(p), token(other));
    long high = Math.max(token(p), token(other));
    return IntStream.range(0, Model.PARTITIONS)
        .boxed()
        .filter(each -> token(each) >= low && token(each) <= high)
        .toList();
  }

  /** The token of a partition. */
  static long token(int p) {
    return Murmur3.token(ByteBuffer.allocate(4).putInt(p).array());
  }

  /** Whether it goes through partitions in the order of their tokens. */
  boolean isScan() {
    return byToken || partitions.isEmpty();
  }

  /** Whether rows of this partition are asked for. */
  boolean asksFor(int p) {
    return partitions.isEmpty() || partitions.contains(p);
  }

  /** Whether rows with this value of c are asked for. */
  boolean contains(int c) {
    Integer low = lowC;
    return low == null || c >= low && c <= highC;
  }

  /** Whether a row of the partition is one that is asked for. */
  boolean selects(Row row) {
    Integer c = row.c();
    if (c == null) {
      return lowC == null && filter == null;
    }
    return contains(c) && (filter == null || filter.equals(row.v()));
  }

  /** Whether a row of a partition comes before another one of it. */
  boolean isBefore(Row row, Row other) {
    return row.p() == other.p() && (reversed ? other.isBefore(row) : row.isBefore(other));
  }

  /** The statement. */
  String cql() {
    StringBuilder cql = new StringBuilder("SELECT ");
    cql.append(onlyV ? "p, c, d, v" : "*").append(" FROM sim.").append(table.name);
    String and = " WHERE ";
    if (byToken) {
      LongSummaryStatistics tokens =
          partitions.stream().mapToLong(ReadShape::token).summaryStatistics();
      cql.append(and).append("token(p) >= ").append(tokens.getMin());
      cql.append(" AND token(p) <= ").append(tokens.getMax());
      and = " AND ";
    } else if (partitions.size() == 1) {
      cql.append(and).append("p = ").append(partitions.getFirst());
      and = " AND ";
    } else if (partitions.size() > 1) {
      String keys = partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
      cql.append(and).append("p IN (").append(keys).append(')');
      and = " AND ";
    }
    if (lowC != null) {
      cql.append(and).append("c >= ").append(lowC).append(" AND c <= ").append(highC);
      and = " AND ";
    }
    if (filter != null) {
      cql.append(and).append("v = ").append(filter);
    }
    if (reversed) {
      cql.append(" ORDER BY c DESC");
    }
    if (perPartition > 0) {
      cql.append(" PER PARTITION LIMIT ").append(perPartition);
    }
    if (limit > 0) {
      cql.append(" LIMIT ").append(limit);
    }
    boolean filters = filter != null || lowC != null && isScan();
    return cql.append(filters ? " ALLOW FILTERING" : "").toString();
  }
}
