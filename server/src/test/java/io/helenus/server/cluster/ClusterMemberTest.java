package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.LinkSettings;
import io.helenus.server.internode.Network;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.StreamHandler;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a member wakes up, where it dials, and to whom it reports. */
class ClusterMemberTest {
  private static final UUID CLUSTER = new UUID(9, 1);
  private static final UUID SELF = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);
  private static final long SECOND = 1_000_000_000L;

  private final SimWorld world = new SimWorld(1);
  private final Waking loop = new Waking(world.scheduler("n1"));
  private final Names network = new Names();
  private final Set<UUID> known = new HashSet<>();
  private final List<UUID> asked = new ArrayList<>();
  private Consumer<@Nullable String> answer = failure -> {};
  private CompletableFuture<Void> formed = new CompletableFuture<>();
  private boolean hangs;
  private boolean member;

  /** Counts how often a loop is woken by a timer. */
  private static final class Waking implements Scheduler {
    private final Scheduler of;
    private int timers;

    Waking(Scheduler of) {
      this.of = of;
    }

    @Override
    public void execute(Runnable task) {
      of.execute(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      return of.schedule(
          () -> {
            timers++;
            task.run();
          },
          delayNanos);
    }
  }

  /** Knows one name; nobody answers, or nobody is even refused. */
  private final class Names implements Network {
    private final List<InetSocketAddress> dialled = new ArrayList<>();

    @Override
    public void connect(int ofLoop, InetSocketAddress address, StreamHandler handler) {
      dialled.add(address);
      if (!hangs) {
        loop.execute(() -> handler.closed("nobody answers"));
      }
    }

    @Override
    public Closeable listen(InetSocketAddress address, Acceptor acceptor) {
      return () -> {};
    }

    @Override
    public InetAddress resolve(String host) throws UnknownHostException {
      if (!host.equals("seed.example")) {
        throw new UnknownHostException(host);
      }
      return address(2).getAddress();
    }
  }

  /** That of a node which is a member already, or stays none. */
  private final class Log implements MembershipLog {
    @Override
    public UUID clusterId() {
      return CLUSTER;
    }

    @Override
    public boolean hasCluster() {
      return member;
    }

    @Override
    public boolean isMember(UUID host) {
      return known.contains(host);
    }

    @Override
    public Map<UUID, MemberAddress> members() {
      Map<UUID, MemberAddress> members = new java.util.HashMap<>();
      for (UUID host : known) {
        Endpoint at = FormingRun.endpoint(address((int) host.getLeastSignificantBits()));
        members.put(host, new MemberAddress(at, at, MemberAddress.HINT));
      }
      return members;
    }

    @Override
    public void found(Consumer<@Nullable String> whenDone) {
      throw new AssertionError("it must not found");
    }

    @Override
    public void fetch(UUID from, Consumer<@Nullable String> whenDone) {
      asked.add(from);
      answer = whenDone;
    }

    @Override
    public void join(Joining whenDone) {
      throw new AssertionError("nobody has answered");
    }
  }

  private static InetSocketAddress address(int number) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number}), 7000);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private ClusterMember start(Endpoint seed) throws Exception {
    return start(seed, List.of(shard(0)));
  }

  private Shard shard(int index) {
    return new Shard(
        index,
        loop,
        world.clock(),
        e -> {
          throw new AssertionError(e);
        });
  }

  private ClusterMember start(Endpoint seed, List<Shard> shards) throws Exception {
    NodeIdentity self =
        new NodeIdentity(NodeIdentity.NO_CLUSTER, "n", SELF, 1, 1, 1 << 20, address(1), address(1));
    LinkEnvironment environment =
        new LinkEnvironment(
            network,
            world.clock(),
            world.randomness(),
            new LargeSegments(),
            LinkSettings.DEFAULT,
            () -> self,
            1,
            peer -> null,
            () -> 0,
            timestamp -> {},
            () -> 0);
    ClusterMember node =
        new ClusterMember(
            new ClusterMember.Configuration(address(1), self, "dc", List.of(seed), 8),
            shards,
            environment,
            new Members(SELF),
            new Log(),
            world.pool("io"),
            (index, peer, link) -> {},
            e -> {
              throw e;
            });
    formed = node.form();
    return node;
  }

  private void run(long nanos) {
    world.runFor(nanos);
  }

  @Test
  void theNetworkKnowsTheAddressesOfNames() throws Exception {
    start(new Endpoint("seed.example", 7001));
    run(SECOND);
    assertEquals(
        Set.of(new InetSocketAddress(address(2).getAddress(), 7001)),
        new HashSet<>(network.dialled));
  }

  @Test
  void aNameThatIsNotKnownIsLookedUpAgain() throws Exception {
    start(new Endpoint("nobody.example", 7000));
    run(SECOND);
    assertEquals(List.of(), network.dialled);
  }

  @Test
  void aMemberThatMissesNobodyDoesNotWakeUp() throws Exception {
    member = true;
    known.add(SELF);
    start(FormingRun.endpoint(address(1)));
    run(2 * SECOND);
    int before = loop.timers;
    run(10 * SECOND);
    // the failure detector looks once a second
    assertTrue(loop.timers - before <= 11, "woken " + (loop.timers - before) + " times");
  }

  @Test
  void aMemberThatMissesAnotherDialsIt() throws Exception {
    member = true;
    known.addAll(Set.of(SELF, OTHER));
    start(FormingRun.endpoint(address(1)));
    run(10 * SECOND);
    assertTrue(network.dialled.size() >= 10, network.dialled::toString);
    assertEquals(Set.of(address(2)), new HashSet<>(network.dialled));
  }

  @Test
  void aMemberThatIsAddedToTheLogIsDialled() throws Exception {
    member = true;
    known.add(SELF);
    ClusterMember node = start(FormingRun.endpoint(address(1)));
    run(10 * SECOND);
    assertEquals(List.of(), network.dialled);
    known.add(OTHER);
    loop.execute(() -> node.membersLogged(new Log().members()));
    run(10 * SECOND);
    assertTrue(network.dialled.size() >= 10, network.dialled::toString);
  }

  @Test
  void aMemberThatStartsAgainIsOneWhenItHasFollowedAnother() throws Exception {
    member = true;
    hangs = true;
    known.addAll(Set.of(SELF, OTHER));
    ClusterMember node = start(FormingRun.endpoint(address(1)));
    run(SECOND / 10);
    loop.execute(() -> node.connected(other(), true));
    run(SECOND / 10);
    assertEquals(List.of(OTHER), asked);
    assertFalse(formed.isDone());
    loop.execute(() -> answer.accept(null));
    run(SECOND / 10);
    assertTrue(formed.isDone());
    loop.execute(() -> node.connected(other(2), true));
    run(SECOND);
    assertEquals(List.of(OTHER), asked, "it serves already");
  }

  @Test
  void aMemberThatStartsAgainDoesNotWaitForThoseThatCannotBeReached() throws Exception {
    member = true;
    known.addAll(Set.of(SELF, OTHER));
    start(FormingRun.endpoint(address(1)));
    run(SECOND / 10);
    assertTrue(formed.isDone());
  }

  @Test
  void aMemberThatStartsAgainWaitsForASecondAtMost() throws Exception {
    member = true;
    hangs = true;
    known.addAll(Set.of(SELF, OTHER));
    start(FormingRun.endpoint(address(1)));
    run(SECOND * 9 / 10);
    assertFalse(formed.isDone());
    run(SECOND / 5);
    assertTrue(formed.isDone());
  }

  private static NodeIdentity other() {
    return other(1);
  }

  private static NodeIdentity other(long life) {
    return new NodeIdentity(CLUSTER, "n", OTHER, life, 1, 1 << 20, address(2), address(2));
  }

  /** Or else its next link would be refused, as that of a copy of a running node's folder. */
  @Test
  void aMemberThatIsBackElsewhereIsKnownByItsLinks() throws Exception {
    member = true;
    known.addAll(Set.of(SELF, OTHER));
    ClusterMember node = start(FormingRun.endpoint(address(1)));
    NodeIdentity moved =
        new NodeIdentity(CLUSTER, "n", OTHER, 2, 1, 1 << 20, address(3), address(3));
    loop.execute(() -> node.opened(moved));
    run(SECOND);
    Endpoint elsewhere = FormingRun.endpoint(address(3));
    assertEquals(new MemberAddress(elsewhere, elsewhere, 2), node.address(OTHER));
    loop.execute(() -> node.connected(other(3), true));
    run(SECOND);
    assertEquals(
        new MemberAddress(FormingRun.endpoint(address(2)), FormingRun.endpoint(address(2)), 3),
        node.address(OTHER));
  }

  /** It may have taken this member for one that is down, and forgotten what it had reported. */
  @Test
  void aMemberReportsToAnotherThatHasOpenedALinkAgain() throws Exception {
    member = true;
    known.addAll(Set.of(SELF, OTHER));
    ClusterMember node = start(FormingRun.endpoint(address(1)));
    List<UUID> reportedTo = new ArrayList<>();
    node.reachable(reportedTo::add);
    loop.execute(() -> node.opened(other()));
    run(SECOND);
    assertEquals(List.of(), reportedTo, "there is no link to it yet");
    loop.execute(() -> node.connected(other(), true));
    run(SECOND);
    assertEquals(List.of(OTHER), reportedTo);
    loop.execute(() -> node.opened(other()));
    run(SECOND);
    assertEquals(List.of(OTHER, OTHER), reportedTo);
  }

  /** Whoever is up is sent requests; those of a shard without a link would fail at once. */
  @Test
  void whatANodeReportsIsReadWhenAllShardsHaveALinkToIt() throws Exception {
    member = true;
    known.addAll(Set.of(SELF, OTHER));
    ClusterMember node = start(FormingRun.endpoint(address(1)), List.of(shard(0), shard(1)));
    List<UUID> read = new ArrayList<>();
    node.reports((host, body) -> read.add(host));
    loop.execute(() -> node.connected(other(), true));
    loop.execute(() -> node.received(OTHER, MessageKind.REPORT, new byte[1], body -> {}));
    run(SECOND);
    assertEquals(List.of(), read);
    loop.execute(() -> node.connected(other(), false));
    run(SECOND);
    assertEquals(List.of(OTHER), read);
    loop.execute(() -> node.received(OTHER, MessageKind.REPORT, new byte[1], body -> {}));
    run(SECOND);
    assertEquals(List.of(OTHER, OTHER), read);
  }
}
