package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Applied;
import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.PartitionModel;
import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rows that a SELECT shows after some writes, computed in the obvious way. Stateless. */
final class ToyRows {
  private ToyRows() {}

  /** The answer to a read of a store with these writes. */
  static List<Row> of(ReadShape shape, Collection<Write> writes, long second) {
    List<Row> rows = new ArrayList<>();
    for (Row row : unlimited(shape, writes, second)) {
      long before = rows.stream().filter(each -> each.p() == row.p()).count();
      boolean full = shape.limit() > 0 && rows.size() >= shape.limit();
      if (!full && (shape.perPartition() == 0 || before < shape.perPartition())) {
        rows.add(shape.onlyV() ? onlyV(row) : row);
      }
    }
    return rows;
  }

  private static Row onlyV(Row row) {
    return new Row(row.p(), row.c(), row.d(), null, Map.of(), row.v(), null, Map.of());
  }

  private static List<Row> unlimited(ReadShape shape, Collection<Write> writes, long second) {
    Comparator<Integer> byToken = Comparator.comparingLong(ReadShape::token);
    List<Row> rows = new ArrayList<>();
    IntStream.range(0, Model.PARTITIONS)
        .boxed()
        .filter(shape::asksFor)
        .sorted(byToken)
        .forEach(p -> rows.addAll(partition(shape, p, writes, second)));
    return rows;
  }

  private static List<Row> partition(
      ReadShape shape, int p, Collection<Write> writes, long second) {
    List<Applied> changes = new ArrayList<>();
    for (Write write : writes) {
      for (Write.Part part : write.parts) {
        if (part.p() == p) {
          changes.addAll(part.changes().get(shape.table().index));
        }
      }
    }
    List<Row> rows =
        new PartitionModel(p, changes, true, Long.MIN_VALUE)
            .usualRows(second).stream().filter(shape::selects).toList();
    return shape.reversed() ? rows.reversed() : rows;
  }
}
