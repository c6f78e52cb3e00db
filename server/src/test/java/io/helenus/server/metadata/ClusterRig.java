package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.error.CqlError;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.env.sim.SimulatedCrash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of several nodes in one thread: real code over disks that lose what was not synced,
 * and a network that loses, repeats and reorders messages. Checks at each entry that all nodes have
 * the same one.
 */
final class ClusterRig {
  private static final long MESSAGE_NANOS = 1_000_000L;

  final SimWorld world;
  final SimRandomness randomness;
  final List<Node> nodes = new ArrayList<>();

  /** The entries that any node has applied, by index. */
  final TreeMap<Long, byte[]> decided = new TreeMap<>();

  /** What became of keyspaces: {@code CREATED}, or the text of the error. */
  final Map<String, String> answers = new HashMap<>();

  int lossPercent;
  int delayMillis = 2;

  /** The node that no message reaches or leaves; null for none. */
  @Nullable Node cut;

  private final Scheduler network;
  private final UnaryOperator<FileSystem> disks;
  private final Map<UUID, Node> byHost = new HashMap<>();

  ClusterRig(long seed, int count) {
    this(seed, count, UnaryOperator.identity());
  }

  /**
   * A cluster whose nodes all have to join.
   *
   * @param disks may add a bug to the disk of a node
   */
  ClusterRig(long seed, int count, UnaryOperator<FileSystem> disks) {
    this.world = new SimWorld(seed);
    this.randomness = new SimRandomness(seed + 1);
    this.disks = disks;
    this.network = world.pool("network");
    for (int i = 1; i <= count; i++) {
      nodes.add(new Node(i));
    }
    nodes.forEach(Node::start);
  }

  /** One node over all its runs. */
  final class Node {
    final int number;
    final SimFileSystem files;
    private @Nullable Run run;
    private long lives;

    Node(int number) {
      this.number = number;
      this.files = new SimFileSystem(randomness.split());
    }

    boolean isUp() {
      return run != null;
    }

    Run run() {
      return Objects.requireNonNull(run);
    }

    void start() {
      run = new Run(this, ++lives);
    }

    /** Loses the power, and with it what was not synced. */
    void kill() {
      Run killed = run;
      if (killed != null) {
        killed.alive = false;
        run = null;
        files.losePower();
      }
    }
  }

  /** One life of a node. */
  final class Run {
    final Node node;
    final LocalMetadataLog local;
    final ReplicatedMetadataLog log;
    private final Scheduler scheduler;
    private final FatalErrors halts;
    private final long life;
    private @Nullable Metadata metadata;
    private boolean alive = true;
    private boolean joining;

    Run(Node node, long life) {
      this.node = node;
      this.life = life;
      this.scheduler = alive(world.scheduler("node " + node.number));
      this.halts =
          cause -> {
            throw new AssertionError("node " + node.number + " halted", cause);
          };
      this.local =
          LocalMetadataLog.openUnfounded(
              disks.apply(node.files),
              SystemKeyspaces.all(),
              Members.identity(node.number),
              randomness,
              alive(world.pool("io " + node.number)),
              scheduler);
      byHost.put(local.hostId(), node);
      this.log =
          new ReplicatedMetadataLog(
              local,
              SystemKeyspaces.all(),
              life << 24 | randomness.below(1 << 24),
              (to, message) -> deliver(local.hostId(), to, message),
              ClusterRig.this::live,
              world.clock(),
              randomness,
              scheduler,
              halts::halt);
      local.readFrom(local.state().index(), new Checker());
      log.start();
      openIfMember();
    }

    /** Runs tasks only while the node lives; the disk ends it by a crash. */
    private Scheduler alive(Scheduler inner) {
      return new Scheduler() {
        private Runnable guarded(Runnable task) {
          return () -> {
            if (alive) {
              try {
                task.run();
              } catch (SimulatedCrash crash) {
                node.kill();
              }
            }
          };
        }

        @Override
        public void execute(Runnable task) {
          inner.execute(guarded(task));
        }

        @Override
        public Timer schedule(Runnable task, long delayNanos) {
          return inner.schedule(guarded(task), delayNanos);
        }
      };
    }

    private void openIfMember() {
      if (metadata == null && local.state().node(local.hostId()) != null) {
        metadata =
            new Metadata(
                log,
                local.hostId(),
                life << 24,
                TestTables.NONE,
                world.clock(),
                randomness,
                scheduler,
                halts,
                null,
                null,
                Guardrails.NONE);
      }
    }

    boolean isMember() {
      openIfMember();
      return metadata != null;
    }

    Metadata metadata() {
      return Objects.requireNonNull(metadata);
    }

    /** Founds, as the first node, or joins through a member. */
    void form() {
      if (isMember() || joining) {
        return;
      }
      Node via = nodes.getFirst();
      joining = true;
      if (node == via) {
        log.found(Members.identity(1), new Formed());
      } else if (via.isUp() && via.run().isMember()) {
        log.fetch(via.run().local.hostId(), this::join);
        Scheduler.Timer ignored = scheduler.schedule(() -> joining = false, 3_000_000_000L);
      } else {
        joining = false;
      }
    }

    private void join() {
      if (!isMember()) {
        long[] tokens = {node.number, 100L * node.number};
        log.join(Members.node(local.hostId(), node.number, tokens), new Formed());
      }
    }

    private final class Formed implements MetadataLog.ProposalCallback {
      @Override
      public void decided(Decision decision) {
        joining = false;
        String refusal = decision.refusal();
        if (refusal != null && !refusal.contains("already a member")) {
          throw new AssertionError(refusal);
        }
      }

      @Override
      public void notProposed(Exception cause) {
        joining = false;
      }

      @Override
      public void unknown(Exception cause) {
        joining = false;
      }
    }

    /** Creates a keyspace whose name was not used before. */
    void create(String keyspace) {
      change(
          keyspace,
          "CREATE KEYSPACE " + keyspace + " WITH replication = {'class': 'SimpleStrategy'}",
          "CREATED");
    }

    /** Executes a statement; the answer is kept by a name. */
    void change(String name, String text, String done) {
      metadata()
          .change(
              (SchemaStatement) CqlParser.parse(text),
              null,
              scheduler,
              new Metadata.ChangeCallback() {
                @Override
                public void changed(SchemaChange change) {
                  answers.put(name, done);
                }

                @Override
                public void refused(CqlError error) {
                  answers.put(name, error.message());
                }
              });
    }
  }

  /** Checks that all nodes apply the same entries. */
  private final class Checker implements MetadataLog.Follower {
    @Override
    public void applied(long index, Proposal proposal, ClusterState state) {
      byte[] value = ConsensusFormat.valueOf(proposal);
      byte[] before = decided.putIfAbsent(index, value);
      if (before != null) {
        assertArrayEquals(before, value, "entry " + index);
      }
    }

    @Override
    public void replaced(ClusterState state) {}

    @Override
    public void refused(MetadataException cause) {
      throw new AssertionError(cause);
    }
  }

  private Set<UUID> live() {
    Set<UUID> live = new HashSet<>();
    for (Node node : nodes) {
      if (node.isUp()) {
        live.add(node.run().local.hostId());
      }
    }
    return live;
  }

  private boolean isCut(UUID hostId) {
    return cut != null && byHost.get(hostId) == cut;
  }

  private void deliver(UUID from, UUID to, byte[] message) {
    if (randomness.percent(lossPercent) || isCut(from) || isCut(to)) {
      return;
    }
    int copies = randomness.percent(lossPercent) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      long delay = MESSAGE_NANOS * (1 + randomness.below(delayMillis));
      Scheduler.Timer ignored =
          network.schedule(
              () -> {
                Node target = byHost.get(to);
                if (target != null && target.isUp() && target.run().local.hostId().equals(to)) {
                  target.run().log.received(from, message);
                }
              },
              delay);
    }
  }

  /** Lets all nodes become members. */
  void form() {
    for (int i = 0; i < 10_000; i++) {
      boolean all = true;
      for (Node node : nodes) {
        if (!node.isUp()) {
          node.start();
        }
        node.run().form();
        all &= node.run().isMember();
      }
      if (all) {
        return;
      }
      world.runFor(50_000_000L);
    }
    throw new AssertionError("the nodes do not become a cluster");
  }

  /** Waits until the number of voters has grown to what it should be. */
  void awaitVoters(int count) {
    awaitAll(state -> state.voters().size() == count, "voters");
  }

  /** Waits until all nodes are up and equal, and their states have something in common. */
  void awaitAll(java.util.function.Predicate<ClusterState> condition, String what) {
    for (int i = 0; i < 2_000; i++) {
      world.runFor(50_000_000L);
      long index = nodes.getFirst().run().local.state().index();
      boolean all = true;
      for (Node node : nodes) {
        ClusterState state = node.run().local.state();
        all &= state.index() == index && condition.test(state);
      }
      if (all) {
        return;
      }
    }
    StringBuilder text = new StringBuilder(what);
    nodes.forEach(
        node ->
            text.append(' ')
                .append(node.run().local.state().index())
                .append(node.run().local.state().voters()));
    throw new AssertionError(text);
  }

  /** Checks what was answered against what is there, on nodes that are up and equal. */
  void checkAnswers() {
    String first = StateText.of(nodes.getFirst().run().local.state());
    for (Node node : nodes) {
      assertEquals(first, StateText.of(node.run().local.state()));
    }
    Map<String, Integer> times = new HashMap<>();
    ClusterState state = ClusterState.first(SystemKeyspaces.all());
    for (Map.Entry<Long, byte[]> entry : decided.entrySet()) {
      Proposal proposal = ConsensusFormat.proposalOf(entry.getValue());
      Decision decision = state.apply(entry.getKey(), proposal);
      state = decision.state();
      if (decision.outcome() == Outcome.APPLIED
          && proposal.entry() instanceof MetadataEntry.SchemaChanged(var edit)) {
        times.merge(edit.keyspace(), 1, Integer::sum);
      }
    }
    answers.forEach(
        (keyspace, answer) -> {
          int applied = times.getOrDefault(keyspace, 0);
          if (answer.equals("CREATED")) {
            assertEquals(1, applied, keyspace);
          } else if (answer.startsWith("The change was")) {
            assertEquals(0, applied, keyspace + ": " + answer);
          } else if (!answer.startsWith("The outcome of the change is unknown")) {
            throw new AssertionError(keyspace + ": " + answer);
          }
        });
    times.values().forEach(count -> assertEquals(1, count));
  }
}
