package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.Members;
import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Transcripts of what is admitted: r0 is this node's replica, r1 is in its data centre, r2 and r3
 * are in another.
 */
class AdmissionTest {
  private static final KeyspaceProperties KEYSPACE =
      KeyspaceSchema.empty("ks", true, Replication.simple(1)).properties();
  private static final int NEAR = 0b0011;

  private final Members members = new Members(new UUID(0, 1));
  private final List<Member> all =
      List.of(
          members.local(),
          members.of(new UUID(0, 2)),
          members.of(new UUID(0, 3)),
          members.of(new UUID(0, 4)));
  private final ShardMetrics metrics = new ShardMetrics(0, () -> 0, () -> 0);
  private final Admission admission = new Admission(this::placement, metrics);
  private final StringBuilder transcript = new StringBuilder();
  private ReplicaSet replicas = new ReplicaSet(all, NEAR);

  private Placement placement(KeyspaceProperties keyspace) {
    assertEquals(KEYSPACE, keyspace);
    return new Four();
  }

  private final class Four implements Placement {
    @Override
    public int required(ConsistencyLevel level) {
      return switch (level) {
        case LOCAL_ONE, ONE, ANY -> 1;
        case TWO, LOCAL_QUORUM -> 2;
        case THREE, QUORUM -> 3;
        case ALL -> replicas.size();
        default -> throw new IllegalArgumentException("no test asks for " + level);
      };
    }

    @Override
    public ReplicaSet replicas(long token) {
      assertEquals(7, token);
      return replicas;
    }

    @Override
    public ReplicaSet everywhere() {
      return replicas;
    }

    @Override
    public long lastWithSameReplicas(long token) {
      return Long.MAX_VALUE;
    }
  }

  /** Those that are up from now on; this node always is. */
  private AdmissionTest live(int... others) {
    List<String> names = new ArrayList<>(List.of("r0"));
    all.forEach(each -> each.up(false));
    for (int other : others) {
      all.get(other).up(true);
      names.add("r" + other);
    }
    transcript.append("live ").append(String.join(" ", names)).append('\n');
    return this;
  }

  private AdmissionTest admit(ConsistencyLevel... levels) {
    for (ConsistencyLevel level : levels) {
      note(level.name(), failure -> admit(RequestKind.WRITE, level, failure));
    }
    return this;
  }

  private boolean admit(
      @Nullable RequestKind kind, ConsistencyLevel level, FailureCallback callback) {
    return admission.admit(kind, KEYSPACE, 7, level, callback);
  }

  private interface Check {
    boolean admits(FailureCallback callback);
  }

  private void note(String input, Check check) {
    List<CqlError> errors = new ArrayList<>();
    boolean admitted = check.admits(errors::add);
    assertEquals(admitted, errors.isEmpty());
    transcript.append(input).append(" → ");
    if (admitted) {
      transcript.append(
          "%d of the live %s"
              .formatted(admission.required(), Integer.toBinaryString(admission.live())));
    } else {
      transcript.append(
          switch (errors.getFirst()) {
            case CqlError.Unavailable refused ->
                refused.message()
                    + ": "
                    + refused.required()
                    + " required, "
                    + refused.alive()
                    + " alive";
            default -> errors.getFirst().message();
          });
    }
    transcript.append('\n');
  }

  private void decided(String expected) {
    assertEquals(expected, transcript.toString());
  }

  private long unavailable(RequestKind kind) {
    return Objects.requireNonNull(metrics.counts(new int[0]).requests().get(kind)).unavailables();
  }

  @Test
  void whoIsAliveDecides() {
    live(1, 2, 3).admit(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
    live(1, 3).admit(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
    live(3).admit(ConsistencyLevel.TWO, ConsistencyLevel.QUORUM);
    live().admit(ConsistencyLevel.ANY, ConsistencyLevel.ONE, ConsistencyLevel.TWO);
    decided(
        """
        live r0 r1 r2 r3
        ONE → 1 of the live 1111
        QUORUM → 3 of the live 1111
        ALL → 4 of the live 1111
        live r0 r1 r3
        QUORUM → 3 of the live 1011
        ALL → Cannot achieve consistency level ALL: 4 required, 3 alive
        live r0 r3
        TWO → 2 of the live 1001
        QUORUM → Cannot achieve consistency level QUORUM: 3 required, 2 alive
        live r0
        ANY → 1 of the live 1
        ONE → 1 of the live 1
        TWO → Cannot achieve consistency level TWO: 2 required, 1 alive
        """);
  }

  @Test
  void levelsOfADataCentreCountItsReplicasOnly() {
    live(1).admit(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.LOCAL_QUORUM);
    live(2, 3).admit(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.QUORUM);
    decided(
        """
        live r0 r1
        LOCAL_ONE → 1 of the live 11
        LOCAL_QUORUM → 2 of the live 11
        live r0 r2 r3
        LOCAL_QUORUM → Cannot achieve consistency level LOCAL_QUORUM: 2 required, 1 alive
        QUORUM → 3 of the live 1101
        """);
  }

  @Test
  void aReplicaThatComesUpCountsAtOnce() {
    live(1).admit(ConsistencyLevel.QUORUM);
    live(1, 2).admit(ConsistencyLevel.QUORUM);
    decided(
        """
        live r0 r1
        QUORUM → Cannot achieve consistency level QUORUM: 3 required, 2 alive
        live r0 r1 r2
        QUORUM → 3 of the live 111
        """);
  }

  @Test
  void refusalsAreCountedByKindUnlessTheyArePartsOfARequest() {
    live();
    note("read", failure -> admit(RequestKind.READ, ConsistencyLevel.TWO, failure));
    note("part", failure -> admit(null, ConsistencyLevel.TWO, failure));
    assertEquals(1, unavailable(RequestKind.READ));
    assertEquals(0, unavailable(RequestKind.WRITE));
    admit(ConsistencyLevel.TWO).admit(ConsistencyLevel.ONE);
    assertEquals(1, unavailable(RequestKind.WRITE));
  }

  @Test
  void whatOneReplicaAloneCanDoIsRefusedIfThereAreOthers() {
    live(1, 2, 3);
    note("others", failure -> admitLocal(ConsistencyLevel.ONE, failure));
    replicas = new ReplicaSet(List.of(all.get(1)), 1);
    note("another", failure -> admitLocal(ConsistencyLevel.ONE, failure));
    replicas = new ReplicaSet(List.of(members.local()), 1);
    note("alone", failure -> admitLocal(ConsistencyLevel.ONE, failure));
    note("alone, TWO", failure -> admitLocal(ConsistencyLevel.TWO, failure));
    decided(
        """
        live r0 r1 r2 r3
        others → Increments of counters are not supported yet for rows with replicas on other nodes: use a keyspace\
         with one replica on a single node
        another → Increments of counters are not supported yet for rows with replicas on other nodes: use a keyspace\
         with one replica on a single node
        alone → 1 of the live 1
        alone, TWO → Cannot achieve consistency level TWO: 2 required, 1 alive
        """);
    assertEquals(1, unavailable(RequestKind.WRITE));
  }

  private boolean admitLocal(ConsistencyLevel level, FailureCallback callback) {
    return admission.admitLocal(
        RequestKind.WRITE, KEYSPACE, 7, level, LocalOnly.INCREMENT, callback);
  }
}
