package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final UUID X = new UUID(9, 1);
  private static final UUID Y = new UUID(9, 2);
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private static Hello hello(
      String name, @Nullable UUID cluster, UUID host, long life, Map<UUID, MemberAddress> members) {
    Endpoint at = new Endpoint(host.equals(A) ? "a" : "b", 7000);
    Hello.Status status = cluster == null ? Hello.Status.EMPTY : Hello.Status.MEMBER;
    return new Hello(name, cluster, host, life, status, "a:7000", "dc", at, at, members);
  }

  private static final Hello OWN =
      hello(
          "n",
          X,
          A,
          10,
          Map.of(B, new MemberAddress(new Endpoint("b2", 7000), new Endpoint("b2", 9042), 20L)));

  private static void refused(Refusal.Kind kind, String text, @Nullable Refusal refusal) {
    assertNotNull(refusal);
    assertEquals(kind, refusal.kind());
    assertTrue(refusal.text().contains(text), refusal.text());
  }

  private static @Nullable Refusal check(Hello peer) {
    return Admission.check(OWN, peer, 0, Long.MAX_VALUE);
  }

  @Test
  void nodesOfTheClusterAndEmptyOnesMayStay() {
    assertNull(check(hello("n", X, B, 20, Map.of())));
    assertNull(check(hello("n", X, B, 21, Map.of())));
    assertNull(check(hello("n", null, B, 21, Map.of())));
    assertNull(check(hello("n", X, A, 10, Map.of())), "that is this node itself");
  }

  @Test
  void otherClustersAreRefusedByName() {
    refused(
        Refusal.Kind.CLUSTER_NAME,
        "the cluster of a:7000 is called n, not other: correct cluster_name or the seeds",
        check(hello("other", Y, B, 21, Map.of())));
    refused(
        Refusal.Kind.CLUSTER_ID,
        "a:7000 belongs to cluster " + X + ", the data folder of this node to cluster " + Y,
        check(hello("n", Y, B, 21, Map.of())));
  }

  @Test
  void copiesOfFoldersAreRefused() {
    refused(
        Refusal.Kind.SAME_HOST,
        A + " is running at a:7000: the data folder of this node is a copy",
        check(hello("n", X, A, 11, Map.of())));
    refused(
        Refusal.Kind.OLDER_LIFE,
        B + " has been started since, at b2:7000",
        check(hello("n", X, B, 19, Map.of())));
  }

  @Test
  void anotherLifeIsKeptOutAsLongAsTheFormerIsHeard() {
    Hello back = hello("n", X, B, 21, Map.of());
    refused(
        Refusal.Kind.HOST_ALIVE,
        B + " is running at b2:7000",
        Admission.check(OWN, back, 20, Admission.ALIVE_NANOS - 1));
    assertNull(Admission.check(OWN, back, 20, Admission.ALIVE_NANOS));
    assertNull(Admission.check(OWN, back, 21, 0), "a second link of the same life");
  }
}
