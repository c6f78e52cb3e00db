package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.cluster.FormingWorld.Bug;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** One run of {@link FormingWorld}: three to seven nodes, from a seed. */
final class FormingScenario {
  private static final long MS = FormingWorld.MS;
  private static final long FAULTS_END = 20_000 * MS;
  private static final long BOUND = 90_000 * MS;

  /** What a run is about. */
  enum Kind {
    /** Sensible lists; kills, losses, cuts. */
    FORM,
    /** After that, all come back with other addresses, also with those of each other. */
    MOVE,
    /** The first seed loses its disk when another seed is a member. */
    WIPE,
    /** All seeds lose their disks; other members remain. */
    WIPE_SEEDS,
    /** A node is started with a copy of a member's folder. */
    COPY,
    /** Lists that do not fit together. */
    WRONG_LISTS
  }

  /** How often something happened that a run is for. */
  static final Map<String, Integer> COUNTS = Collections.synchronizedMap(new java.util.TreeMap<>());

  private final Random random;
  private final FormingWorld world;
  private final Kind kind;
  private final List<FormingNode> nodes;

  private FormingScenario(long seed, Bug bug) {
    this.world = new FormingWorld(seed, bug);
    this.random = world.random;
    this.kind = Kind.values()[random.nextInt(Kind.values().length)];
    this.nodes = world.nodes;
  }

  static void run(long seed, Bug bug) {
    new FormingScenario(seed, bug).run();
  }

  private static void count(String what) {
    COUNTS.merge(what, 1, Integer::sum);
  }

  private void run() {
    count(kind.name());
    world.slowestMs = 1 + random.nextInt(200);
    world.loss = random.nextInt(3) * 0.15;
    int size = 3 + random.nextInt(5);
    List<Endpoint> all = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      all.add(new Endpoint("node-" + i, 7000));
      world.names.put("node-" + i, "10.0.0." + i);
    }
    List<List<Endpoint>> lists = kind == Kind.WRONG_LISTS ? wrongLists(all) : sensibleLists(all);
    for (int i = 1; i <= size; i++) {
      nodes.add(new FormingNode(world, i, lists.get(i - 1)));
    }
    for (FormingNode node : nodes) {
      world.after(random.nextInt(random.nextBoolean() ? 3000 : 50) * MS, node::start);
    }
    faults();
    for (long at = 0; at <= FAULTS_END; at += 250 * MS) {
      world.runUntil(at);
      oneCluster();
    }
    world.healAll();
    nodes.forEach(FormingNode::start);
    if (kind == Kind.WRONG_LISTS) {
      world.runUntil(world.now + 15_000 * MS);
      wrongListsEnd();
      return;
    }
    allMembers(nodes);
    switch (kind) {
      case MOVE -> move();
      case WIPE -> wipe();
      case WIPE_SEEDS -> wipeSeeds();
      case COPY -> copy();
      default -> {}
    }
  }

  private void faults() {
    int kills = random.nextInt(8);
    for (int i = 0; i < kills; i++) {
      FormingNode node = nodes.get(random.nextInt(nodes.size()));
      boolean noticed = random.nextBoolean();
      world.after(random.nextInt(12_000) * MS, () -> node.kill(noticed));
    }
    for (FormingNode node : nodes) {
      for (long at = 3000; at < 20_000; at += 500 + random.nextInt(6000)) {
        world.after(at * MS, node::start);
      }
    }
    int cuts = random.nextInt(6);
    for (int i = 0; i < cuts; i++) {
      FormingNode from = nodes.get(random.nextInt(nodes.size()));
      FormingNode to = nodes.get(random.nextInt(nodes.size()));
      boolean bothWays = random.nextBoolean();
      long begin = random.nextInt(10_000) * MS;
      long end = begin + random.nextInt(9000) * MS;
      world.after(begin, () -> cut(from, to, bothWays, true));
      world.after(end, () -> cut(from, to, bothWays, false));
    }
  }

  private void cut(FormingNode from, FormingNode to, boolean bothWays, boolean on) {
    if (from != to) {
      world.cut(from, to, on);
      if (bothWays) {
        world.cut(to, from, on);
      }
    }
  }

  /** All name the same first seed. In most runs all have the same list. */
  private List<List<Endpoint>> sensibleLists(List<Endpoint> all) {
    List<Endpoint> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    Endpoint first = shuffled.removeFirst();
    boolean same = kind == Kind.WIPE_SEEDS || random.nextBoolean();
    int most = random.nextInt(all.size());
    List<List<Endpoint>> lists = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i == 0 || !same) {
        Collections.shuffle(shuffled, random);
      }
      List<Endpoint> list = new ArrayList<>(List.of(first));
      int others =
          switch (kind) {
            case WIPE -> Math.max(1, most);
            case WIPE_SEEDS -> Math.clamp(most, 1, all.size() - 2);
            default -> most;
          };
      list.addAll(
          same && i > 0 ? lists.getFirst().subList(1, others + 1) : shuffled.subList(0, others));
      lists.add(list);
    }
    return lists;
  }

  /** Any lists, of at least two seeds: a list of one says that this node founds by itself. */
  private List<List<Endpoint>> wrongLists(List<Endpoint> all) {
    List<List<Endpoint>> lists = new ArrayList<>();
    int firsts = 1 + random.nextInt(2);
    for (int i = 0; i < all.size(); i++) {
      List<Endpoint> list = new ArrayList<>(all);
      Collections.shuffle(list, random);
      Endpoint first = all.get(random.nextInt(firsts + 1));
      list.remove(first);
      list.addFirst(first);
      lists.add(list.subList(0, 2 + random.nextInt(all.size() - 1)));
    }
    return lists;
  }

  /** Two clusters need two founders whose lists have nothing in common. */
  private void oneCluster() {
    List<UUID> alive = new ArrayList<>();
    for (UUID cluster : world.clusters.keySet()) {
      for (FormingNode node : nodes) {
        if (cluster.equals(node.memberOf()) && !alive.contains(cluster)) {
          alive.add(cluster);
        }
      }
    }
    if (kind != Kind.WRONG_LISTS) {
      assertTrue(alive.size() <= 1, () -> "clusters " + alive);
      assertTrue(world.clusters.size() <= 1, () -> "clusters were founded: " + world.clusters);
    }
    for (int i = 1; i < alive.size(); i++) {
      Set<Endpoint> shared = new HashSet<>(world.founders.get(alive.get(0)).seeds);
      shared.retainAll(world.founders.get(alive.get(i)).seeds);
      assertEquals(Set.of(), shared, "founded by lists with common seeds");
    }
  }

  /** Runs until these nodes are one cluster, know it, are linked, and the log has its addresses. */
  private void allMembers(List<FormingNode> expected) {
    long end = world.now + BOUND;
    String missing = missing(expected);
    while (!missing.isEmpty() && world.now < end) {
      world.runUntil(world.now + 250 * MS);
      oneCluster();
      missing = missing(expected);
    }
    assertEquals("", missing, () -> kind + " " + expected.stream().map(n -> n.reports).toList());
    count("formed");
  }

  private String missing(List<FormingNode> expected) {
    UUID cluster = expected.getFirst().memberOf();
    for (FormingNode node : expected) {
      if (node.stopped != null) {
        return node.number + " stopped: " + node.stopped;
      }
    }
    for (FormingNode node : expected) {
      if (cluster == null || !cluster.equals(node.memberOf()) || !node.opened) {
        return node.number + " is no member of " + cluster;
      }
      Map<UUID, MemberAddress> members = world.members(cluster, node.applied());
      for (FormingNode other : expected) {
        MemberAddress logged = members.get(other.hostId);
        if (logged == null || !logged.node().equals(other.address)) {
          return node.number + " does not know " + other.number + " at " + other.address;
        }
        if (node != other && !node.isLinked(other)) {
          return node.number + " has no link to " + other.number;
        }
      }
    }
    return "";
  }

  private void move() {
    List<Endpoint> places = new ArrayList<>();
    boolean swap = random.nextBoolean();
    for (FormingNode node : nodes) {
      node.kill(random.nextBoolean());
      places.add(swap ? node.address : new Endpoint("10.0.1." + node.number, 7000));
    }
    Collections.rotate(places, swap ? 1 : 0);
    world.loss = random.nextInt(2) * 0.2;
    for (FormingNode node : nodes) {
      node.address = places.get(node.number - 1);
      world.names.put("node-" + node.number, node.address.host());
      world.after(random.nextInt(4000) * MS, node::start);
    }
    world.runUntil(world.now + 4001 * MS);
    allMembers(nodes);
    count(swap ? "swapped" : "moved");
  }

  private void wipe() {
    FormingNode first = null;
    for (FormingNode node : nodes) {
      first = node.seeds.getFirst().host().equals("node-" + node.number) ? node : first;
    }
    assertNotNull(first);
    FormingNode wiped = first;
    wiped.kill(random.nextBoolean());
    wiped.wipe();
    world.loss = random.nextInt(3) * 0.3;
    world.after(random.nextInt(30_000) * MS, wiped::start);
    long end = world.now + 60_000 * MS;
    while (world.now < end) {
      world.runUntil(world.now + 500 * MS);
      oneCluster();
      if (world.now > end - 20_000 * MS) {
        world.healAll();
      }
    }
    String text = wiped.stopped;
    assertNotNull(text, () -> "goes on: " + wiped.reports);
    assertTrue(text.contains("address 10.0.0." + wiped.number + ":7000 belongs to"), text);
    count("wiped");
  }

  private void wipeSeeds() {
    List<FormingNode> wiped =
        nodes.stream()
            .filter(node -> node.seeds.contains(new Endpoint("node-" + node.number, 7000)))
            .toList();
    for (FormingNode node : wiped) {
      node.kill(true);
      node.wipe();
      node.reports.clear();
      world.after((100 + random.nextInt(5000)) * MS, node::start);
    }
    for (int i = 0; i < 40; i++) {
      world.runUntil(world.now + 500 * MS);
      oneCluster();
    }
    for (FormingNode node : wiped) {
      assertNull(node.memberOf());
      assertTrue(
          node.reports.stream().anyMatch(text -> text.contains("a seed that is a member"))
              || node.reports.stream().anyMatch(text -> text.contains("has reached it")),
          () -> node.reports.toString());
    }
    count("seeds wiped");
  }

  private void copy() {
    FormingNode original = nodes.get(random.nextInt(nodes.size()));
    boolean running = random.nextInt(3) > 0;
    FormingNode copy = new FormingNode(world, nodes.size() + 1, original.seeds);
    copy.copyFolderOf(original);
    if (!running) {
      // the folder has moved, with the log's last address of it empty
      original.kill(random.nextBoolean());
    }
    List<FormingNode> expected = new ArrayList<>(nodes);
    nodes.add(copy);
    copy.start();
    if (running) {
      world.runUntil(world.now + 15_000 * MS);
      String text = copy.stopped;
      assertNotNull(text, "the copy goes on");
      assertTrue(text.contains("copy"), text);
      assertNull(original.stopped, "the original of a copy was stopped");
      count("copied");
    } else {
      expected.set(expected.indexOf(original), copy);
      world.names.put("node-" + original.number, copy.address.host());
      count("folder moved");
    }
    nodes.retainAll(expected);
    allMembers(expected);
  }

  /** Each node is a member, or has said what is wrong. */
  private void wrongListsEnd() {
    oneCluster();
    boolean formed = true;
    boolean named = false;
    for (FormingNode node : nodes) {
      if (node.memberOf() == null) {
        formed = false;
        assertTrue(
            node.stopped != null || !node.reports.isEmpty(), "node " + node.number + " is silent");
        String text = node.stopped == null ? node.reports.getLast() : node.stopped;
        named |= text.contains("same first seed") || text.contains("correct the seeds");
        boolean says =
            Stream.of("names", "waits for", "other seeds", "correct the seeds")
                .anyMatch(text::contains);
        assertTrue(says, text);
      }
    }
    assertTrue(
        formed || named, () -> "nobody says why: " + nodes.stream().map(n -> n.reports).toList());
    count(formed ? "wrong lists formed" : "wrong lists did not form");
  }
}
