package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.simulation.Change;
import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.Write;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the model of a cluster with three replicas admits, case by case. */
class ClusterModelTest {
  private static final int ONE = 1;
  private static final int QUORUM = 2;
  private static final int ALL = 3;

  private final ClusterModel model = new ClusterModel(3);
  private final Model.Table table = model.tables.getFirst();
  private long now;

  private List<Mutation> send(int v, @Nullable Integer w, long timestamp) {
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    cells.put("v", v);
    if (w != null) {
      cells.put("w", w);
    }
    return send(new Change.Cells(0, 1, 0, false, cells, timestamp, 0, 0));
  }

  private List<Mutation> send(Change change) {
    Write write = new Write("write " + change.timestamp(), 0);
    write.add(table.index, change);
    return model.submitted(write, ++now);
  }

  private void wrote(int v, long timestamp, int replicas) {
    model.acknowledged(send(v, null, timestamp), replicas, ++now);
  }

  private static Row row(int v, @Nullable Integer w) {
    return new Row(0, 1, 0, null, Map.of(), v, w, Map.of());
  }

  private void read(int replicas, Row... rows) {
    long sent = ++now;
    ReadShape whole = ReadShape.whole(table, List.of(0));
    model.reading(whole, replicas, sent);
    model.judge(whole, List.of(rows), replicas, sent, ++now, 0);
  }

  private void refuses(Violation violation, int replicas, Row... rows) {
    ViolationError error = assertThrows(ViolationError.class, () -> read(replicas, rows));
    assertEquals(violation, error.violation());
  }

  @Test
  void aQuorumSeesWhatAQuorumHas() {
    wrote(1, 10, QUORUM);
    refuses(Violation.LOST_WRITE, QUORUM);
    read(QUORUM, row(1, null));
    wrote(2, 20, QUORUM);
    refuses(Violation.LOST_WRITE, QUORUM, row(1, null));
    read(QUORUM, row(2, null));
  }

  @Test
  void oneReplicaMayMissWhatAQuorumHas() {
    wrote(1, 10, QUORUM);
    wrote(2, 20, QUORUM);
    read(ONE);
    read(ONE, row(1, null));
    read(ONE, row(2, null));
    refuses(Violation.WRONG_ROW, ONE, row(3, null));
  }

  @Test
  void everyReplicaHasWhatWasWrittenAtAll() {
    wrote(1, 10, ALL);
    refuses(Violation.LOST_WRITE, ONE);
    read(ONE, row(1, null));
  }

  @Test
  void allSeeWhatOneHas() {
    wrote(1, 10, ONE);
    read(QUORUM);
    refuses(Violation.LOST_WRITE, ALL);
  }

  @Test
  void anUnknownWriteStaysOnceItWasSeen() {
    wrote(1, 10, QUORUM);
    List<Mutation> unknown = send(2, null, 20);
    assertEquals(1, unknown.size());
    read(QUORUM, row(1, null));
    read(QUORUM, row(2, null));
    refuses(Violation.LOST_WRITE, QUORUM, row(1, null));
    read(ONE, row(1, null));
  }

  @Test
  void aWriteThatIsAcknowledgedDuringAReadMayBeMissed() {
    List<Mutation> late = send(1, null, 10);
    ReadShape whole = ReadShape.whole(table, List.of(0));
    long sent = ++now;
    model.acknowledged(late, QUORUM, ++now);
    assertDoesNotThrow(() -> model.judge(whole, List.of(), QUORUM, sent, ++now, 0));
    refuses(Violation.LOST_WRITE, QUORUM);
  }

  @Test
  void aRefusedWriteIsNowhere() {
    model.refused(send(1, null, 10));
    read(ALL);
    refuses(Violation.REFUSED_WRITE_APPLIED, ONE, row(1, null));
  }

  @Test
  void aDeletedRowDoesNotComeBack() {
    wrote(1, 10, QUORUM);
    model.acknowledged(send(new Change.DeleteRow(0, 1, 0, 20, 0)), QUORUM, ++now);
    read(QUORUM);
    refuses(Violation.RESURRECTED, QUORUM, row(1, null));
    read(ONE, row(1, null));
  }

  @Test
  void aDeletionThatWasSeenStays() {
    wrote(1, 10, QUORUM);
    List<Mutation> unknown = send(new Change.DeletePartition(0, 20, 0));
    assertEquals(1, unknown.size());
    read(QUORUM, row(1, null));
    read(QUORUM);
    refuses(Violation.RESURRECTED, QUORUM, row(1, null));
  }

  @Test
  void aMutationIsSeenAsAWhole() {
    List<Mutation> unknown = send(1, 2, 10);
    assertEquals(1, unknown.size());
    refuses(Violation.TORN_MUTATION, QUORUM, row(1, null));
    read(QUORUM, row(1, 2));
  }

  @Test
  void aRepairOfAPartMayTearAMutation() {
    List<Mutation> unknown = send(1, 2, 10);
    assertEquals(1, unknown.size());
    ReadShape onlyV = new ReadShape(table, List.of(0), null, 0, false, 0, 0, null, true, -1, false);
    long sent = ++now;
    model.reading(onlyV, QUORUM, sent);
    model.judge(onlyV, List.of(row(1, null)), QUORUM, sent, ++now, 0);
    read(QUORUM, row(1, null));
  }

  @Test
  void whatALimitCutsOffIsNotJudged() {
    wrote(1, 10, ALL);
    Map<String, @Nullable Integer> cells = Map.of("v", 5);
    model.acknowledged(send(new Change.Cells(0, 0, 0, false, cells, 10, 0, 0)), ALL, ++now);
    ReadShape first =
        new ReadShape(table, List.of(0), null, 0, false, 1, 0, null, false, -1, false);
    Row row = new Row(0, 0, 0, null, Map.of(), 5, null, Map.of());
    model.judge(first, List.of(row), QUORUM, ++now, ++now, 0);
    ViolationError error =
        assertThrows(
            ViolationError.class,
            () -> model.judge(first, List.of(row(1, null)), QUORUM, ++now, ++now, 0));
    assertEquals(Violation.LOST_WRITE, error.violation());
  }

  @Test
  void aFilterFindsWhatMatchesForCertain() {
    wrote(1, 10, QUORUM);
    ReadShape filter = new ReadShape(table, List.of(), null, 0, false, 0, 0, 1, false, -1, false);
    ViolationError error =
        assertThrows(
            ViolationError.class, () -> model.judge(filter, List.of(), QUORUM, ++now, ++now, 0));
    assertEquals(Violation.LOST_WRITE, error.violation());
    wrote(2, 20, ONE);
    model.judge(filter, List.of(), QUORUM, ++now, ++now, 0);
    model.judge(filter, List.of(row(1, null)), QUORUM, ++now, ++now, 0);
    wrote(3, 30, QUORUM);
    assertThrows(
        ViolationError.class,
        () -> model.judge(filter, List.of(row(1, null)), QUORUM, ++now, ++now, 0));
  }
}
