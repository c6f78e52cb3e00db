package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.cluster.Hello.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transcripts of {@link Forming}: what one node is told, and what it wants. */
class FormingTest {
  private static final long MS = 1_000_000L;
  private static final UUID X = new UUID(9, 1);
  private static final UUID Y = new UUID(9, 2);
  private static final UUID ID = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);
  private static final UUID THIRD = new UUID(0, 3);
  private static final Endpoint A = new Endpoint("a", 7000);
  private static final Endpoint B = new Endpoint("b", 7000);
  private static final Endpoint C = new Endpoint("c", 7000);

  private final AddressBook book = new AddressBook();
  private final List<String> transcript = new ArrayList<>();
  private long now = 77_000 * MS;

  private static MemberAddress at(Endpoint endpoint, long life) {
    return new MemberAddress(endpoint, new Endpoint(endpoint.host(), 9042), life);
  }

  private static Hello hello(
      UUID host, Endpoint at, Status status, @Nullable UUID cluster, Endpoint firstSeed) {
    return hello("n", host, 10, at, status, cluster, firstSeed, Map.of());
  }

  private static Hello hello(
      String name,
      UUID host,
      long life,
      Endpoint at,
      Status status,
      @Nullable UUID cluster,
      Endpoint firstSeed,
      Map<UUID, MemberAddress> members) {
    return new Hello(
        name, cluster, host, life, status, firstSeed.toString(), "dc", at, at, members);
  }

  private static final Hello EMPTY_B = hello(OTHER, B, Status.EMPTY, null, A);
  private static final Hello EMPTY_C = hello(THIRD, C, Status.EMPTY, null, A);
  private static final Hello MEMBER_B = hello(OTHER, B, Status.MEMBER, X, A);

  private Forming node(Status status, @Nullable UUID cluster, Endpoint at, Endpoint... seeds) {
    Forming node = new Forming(hello(ID, at, status, cluster, at), Set.of(), List.of(seeds), book);
    note(node.start(now));
    return node;
  }

  private void note(List<FormingAction> actions) {
    for (FormingAction action : actions) {
      transcript.add(
          switch (action) {
            case FormingAction.Dial(Endpoint to) -> "dial " + to.host();
            case FormingAction.Found() -> "found";
            case FormingAction.Fetch(Endpoint from) -> "fetch " + from.host();
            case FormingAction.Join(Endpoint via) -> "join " + via.host();
            case FormingAction.Open() -> "open";
            case FormingAction.Report(String text) -> "report " + text;
            case FormingAction.Stop(String text) -> "stop " + text;
          });
    }
  }

  private void expect(String... wanted) {
    assertEquals(List.of(wanted), transcript);
    transcript.clear();
  }

  private void expectStop(String text) {
    assertEquals(1, transcript.size(), transcript::toString);
    assertTrue(transcript.getFirst().startsWith("stop "), transcript::toString);
    assertTrue(transcript.getFirst().contains(text), transcript::toString);
    transcript.clear();
  }

  private void tick(Forming node, int ms) {
    now += ms * MS;
    note(node.tick(now));
  }

  @Test
  void oneSeedThatIsTheNodeItselfFoundsAtOnce() {
    Forming node = node(Status.EMPTY, null, A, A);
    expect("found");
    assertEquals(Status.FIRST_SEED, node.hello().status());
    note(node.founded(X));
    expect("open");
    assertEquals(Status.MEMBER, node.hello().status());
    assertEquals(X, node.hello().clusterId());
    tick(node, 10_000);
    expect();
  }

  @Test
  void aSeedByAnotherNameTurnsOutToBeTheNodeItself() {
    Forming node = node(Status.EMPTY, null, A, B);
    expect("dial b");
    note(node.answer(B, node.hello(), now));
    tick(node, 100);
    expect("found");
  }

  @Test
  void theFirstSeedFoundsWhenTheOthersHaveBeenEmptyForASecond() {
    Forming node = node(Status.EMPTY, null, A, A, B, C);
    expect("dial b", "dial c");
    note(node.answer(B, EMPTY_B, now));
    note(node.noAnswer(C));
    tick(node, 500);
    expect("dial b", "dial c");
    note(node.answer(B, EMPTY_B, now));
    note(node.answer(C, EMPTY_C, now));
    tick(node, 500);
    expect("dial b", "dial c");
    note(node.answer(B, EMPTY_B, now));
    tick(node, 499);
    expect();
    tick(node, 1);
    expect("dial b");
    tick(node, 100);
    expect();
    note(node.answer(C, EMPTY_C, now));
    expect("found");
  }

  @Test
  void aMemberThatDialsTheFirstSeedKeepsItFromFounding() {
    Forming node = node(Status.EMPTY, null, A, A, B);
    for (int i = 0; i < 10; i++) {
      note(node.answer(B, EMPTY_B, now));
      note(node.inbound(hello(THIRD, C, Status.MEMBER, X, A), now));
      tick(node, 500);
    }
    assertTrue(
        transcript.contains(
            "report This node is the first seed, but does not found a cluster, since "
                + THIRD
                + " at c:7000 of cluster "
                + X
                + " has reached it: name a member as seed, or stop the nodes of that cluster:"
                + " b:7000 is empty"),
        transcript::toString);
    transcript.removeIf(line -> !line.equals("found"));
    expect();
    note(node.answer(B, EMPTY_B, now));
    tick(node, 500);
    note(node.answer(B, EMPTY_B, now));
    tick(node, 500);
    assertTrue(transcript.contains("found"), transcript::toString);
  }

  @Test
  void listsWithDifferentFirstSeedsFoundNothing() {
    Forming node = node(Status.EMPTY, null, A, A, B);
    for (int i = 0; i < 20; i++) {
      note(node.answer(B, hello(OTHER, B, Status.FIRST_SEED, null, B), now));
      tick(node, 500);
    }
    transcript.removeIf(line -> line.equals("dial b"));
    expect(
        "report This node is the first seed; it founds a cluster once all other seeds answer that"
            + " they are empty: b:7000 names b:7000 as its first seed, this node a:7000 (start all"
            + " nodes with the same first seed)");
  }

  /** As with localhost at the head of a list that several hosts are given. */
  @Test
  void twoNodesThatTakeThemselvesForTheFirstSeedFoundNothing() {
    Forming node = node(Status.EMPTY, null, A, A, B);
    for (int i = 0; i < 20; i++) {
      note(node.answer(B, hello(OTHER, B, Status.FIRST_SEED, null, A), now));
      tick(node, 500);
    }
    transcript.removeIf(line -> line.equals("dial b"));
    expect(
        "report This node is the first seed; it founds a cluster once all other seeds answer that"
            + " they are empty: b:7000 takes itself for the first seed, too (give addresses)");
  }

  @Test
  void othersWaitForAMemberAndJoin() {
    Forming node = node(Status.EMPTY, null, C, A, B);
    expect("dial a", "dial b");
    note(node.noAnswer(A));
    note(node.answer(B, EMPTY_B, now));
    tick(node, 2000);
    expect(
        "report This node waits for a seed that is a member: a:7000 does not answer, b:7000 is"
            + " empty",
        "dial a",
        "dial b");
    note(node.answer(B, MEMBER_B, now));
    expect("fetch b");
    assertEquals(Status.EMPTY, node.hello().status());
    note(node.fetched(X, Map.of(OTHER, at(B, 0))));
    expect("join b");
    assertEquals(Status.JOINING, node.hello().status());
    assertEquals(X, node.hello().clusterId());
    note(node.joined());
    expect("open");
    assertEquals(Set.of(ID, OTHER), node.hello().members().keySet());
    note(node.noAnswer(A));
    tick(node, 1000);
    expect("dial b", "dial a");
    note(node.connected(OTHER));
    note(node.answer(B, MEMBER_B, now));
    note(node.noAnswer(A));
    tick(node, 1000);
    expect();
    note(node.disconnected(OTHER, now));
    expect("dial b", "dial a");
  }

  @Test
  void whatIsNotKnownAboutAJoinIsLookedUp() {
    Forming node = node(Status.EMPTY, null, C, A);
    note(node.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    note(node.fetchFailed("timed out"));
    note(node.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    note(node.fetched(X, Map.of()));
    note(node.joinUnknown("timed out"));
    note(node.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    note(node.fetched(X, Map.of(ID, at(C, 0))));
    expect(
        "dial a",
        "fetch a",
        "report the metadata could not be fetched from a:7000: timed out",
        "fetch a",
        "join a",
        "report it is not known yet whether this node has joined: timed out",
        "fetch a",
        "open");
  }

  @Test
  void aRefusedJoinStopsTheNodeUnlessItIsAMember() {
    Forming node = node(Status.JOINING, X, C, A);
    note(node.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    note(node.fetched(X, Map.of()));
    note(node.joinRefused("token 5 belongs to " + OTHER));
    expect("dial a", "fetch a", "join a", "fetch a");
    note(node.fetched(X, Map.of(OTHER, at(A, 0))));
    expectStop("this node cannot join the cluster: token 5 belongs to " + OTHER);
    tick(node, 1000);
    expect();

    Forming member = node(Status.JOINING, X, C, A);
    note(member.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    note(member.fetched(X, Map.of()));
    note(member.joinRefused("host id " + ID + " is already a member"));
    note(member.fetched(X, Map.of(ID, at(C, 0))));
    expect("dial a", "fetch a", "join a", "fetch a", "open");
  }

  @Test
  void aTakenAddressStopsTheNode() {
    Forming node = node(Status.EMPTY, null, A, A, B);
    note(node.answer(B, MEMBER_B, now));
    expect("dial b", "fetch b");
    note(node.fetched(X, Map.of(THIRD, at(A, 0), OTHER, at(B, 0))));
    expectStop("address a:7000 belongs to node " + THIRD);
  }

  @Test
  void aNodeThatHasBegunToJoinNeverFounds() {
    Forming node = node(Status.JOINING, X, A, A);
    tick(node, 10_000);
    expect(
        "report This node has begun to join cluster "
            + X
            + " and waits for a member of it: no other seed is named");
    Forming two = node(Status.JOINING, X, A, A, B);
    for (int i = 0; i < 10; i++) {
      note(two.answer(B, EMPTY_B, now));
      tick(two, 500);
    }
    assertTrue(transcript.stream().noneMatch(line -> line.equals("found")));
  }

  @Test
  void otherClustersStopTheNode() {
    Forming empty = node(Status.EMPTY, null, C, A, B);
    transcript.clear();
    Hello otherName = hello("m", OTHER, 1, A, Status.EMPTY, null, A, Map.of());
    note(empty.answer(A, otherName, now));
    expectStop("the cluster of a:7000 is called m, not n");

    Forming joining = node(Status.JOINING, Y, C, A, B);
    transcript.clear();
    note(joining.answer(B, MEMBER_B, now));
    expectStop("b:7000 belongs to cluster " + X + ", the data folder of this node to cluster " + Y);

    Forming between = node(Status.EMPTY, null, C, A, B);
    note(between.answer(A, hello(THIRD, A, Status.MEMBER, Y, A), now));
    expect("dial a", "dial b", "fetch a");
    note(between.answer(B, MEMBER_B, now));
    expectStop("a:7000 to " + Y + " and b:7000 to " + X);

    Forming refused = node(Status.EMPTY, null, C, A, B);
    transcript.clear();
    note(refused.refused(A, new Refusal(Refusal.Kind.CLUSTER_NAME, "correct it"), now));
    expectStop("correct it");
  }

  @Test
  void aMemberWithAnotherClustersFolderStopsUnlessItReachesItsOwn() {
    book.logged(Map.of(ID, at(C, 0), THIRD, at(C, 0)));
    Forming lost = node(Status.MEMBER, Y, C, A);
    transcript.clear();
    note(lost.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    expectStop("start with another data folder");

    Forming found = node(Status.MEMBER, Y, C, A);
    transcript.clear();
    note(found.connected(THIRD));
    for (int i = 0; i < 3; i++) {
      note(found.answer(A, hello(OTHER, A, Status.MEMBER, X, A), now));
    }
    assertEquals(1, transcript.size());
    assertTrue(transcript.getFirst().startsWith("report a:7000 belongs to cluster " + X));
  }

  @Test
  void aMemberOpensAndSearchesTheOthersEverywhere() {
    Endpoint elsewhere = new Endpoint("e", 7000);
    book.logged(Map.of(ID, at(C, 0), OTHER, at(B, 0), THIRD, at(C, 0)));
    Forming node = node(Status.MEMBER, X, elsewhere, A);
    expect("open", "dial b", "dial c", "dial a");
    assertEquals(at(elsewhere, 10).node(), book.toPropose(ID).node());
    Endpoint newB = new Endpoint("b2", 7000);
    Hello tells =
        hello("n", THIRD, 12, A, Status.MEMBER, X, A, Map.of(OTHER, at(newB, 11), ID, at(C, 9)));
    note(node.answer(A, tells, now));
    note(node.connected(THIRD));
    note(node.noAnswer(B));
    note(node.noAnswer(C));
    tick(node, 500);
    expect("dial b2", "dial b", "dial a", "dial c");
    assertEquals(newB, node.hello().members().get(OTHER).node());
  }

  @Test
  void aMemberThatIsMetIsWhereItSays() {
    book.logged(Map.of(ID, at(C, 0), OTHER, at(B, 0)));
    Forming node = node(Status.MEMBER, X, C, A);
    Endpoint newB = new Endpoint("b2", 7000);
    assertTrue(node.met(OTHER, at(newB, 11)));
    assertFalse(node.met(OTHER, at(B, 10)));
    assertFalse(node.met(THIRD, at(A, 11)), "no member as far as this node knows");
    assertEquals(at(newB, 11), node.hello().members().get(OTHER));
    assertEquals(Set.of(ID, OTHER), node.hello().members().keySet());
  }

  @Test
  void aCopyOfARunningNodesFolderStops() {
    book.logged(Map.of(ID, at(C, 0), OTHER, at(B, 0)));
    Endpoint elsewhere = new Endpoint("e", 7000);
    Forming finds = node(Status.MEMBER, X, elsewhere, A);
    transcript.clear();
    note(finds.answer(C, hello("n", ID, 9, C, Status.MEMBER, X, A, Map.of()), now));
    expectStop(ID + " is running at c:7000: the data folder of this node is a copy");

    Forming hears = node(Status.MEMBER, X, elsewhere, A);
    transcript.clear();
    note(hears.answer(B, hello("n", OTHER, 9, B, Status.MEMBER, X, A, Map.of(ID, at(C, 11))), now));
    expectStop(ID + " has been started since, at c:7000");

    for (Refusal.Kind kind : List.of(Refusal.Kind.SAME_HOST, Refusal.Kind.OLDER_LIFE)) {
      Forming refused = node(Status.MEMBER, X, elsewhere, A);
      transcript.clear();
      note(refused.refused(B, new Refusal(kind, "a copy"), now));
      expectStop("a copy");
    }
  }

  @Test
  void aNodeThatIsBackBeforeItsLinksHaveBrokenIsNoCopy() {
    book.logged(Map.of(ID, at(C, 0), OTHER, at(B, 0)));
    Forming node = node(Status.MEMBER, X, C, A);
    Refusal alive = new Refusal(Refusal.Kind.HOST_ALIVE, "is running");
    for (int i = 0; i < 15; i++) {
      note(node.refused(B, alive, now));
      tick(node, 600);
    }
    transcript.removeIf(line -> line.startsWith("dial") || line.equals("open"));
    expect();
    note(node.answer(B, MEMBER_B, now));
    now += 5000 * MS;
    note(node.refused(B, alive, now));
    now += 9999 * MS;
    note(node.refused(B, alive, now));
    expect();
    now += MS;
    note(node.refused(B, alive, now));
    expectStop("is running");
  }
}
