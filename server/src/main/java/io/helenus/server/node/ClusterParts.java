package io.helenus.server.node;

import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.cluster.Endpoint;
import io.helenus.server.cluster.MemberAddress;
import io.helenus.server.cluster.MembershipLog;
import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.LinkSettings;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Decision;
import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.metadata.Outcome;
import io.helenus.server.metadata.ReplicatedMetadataLog;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.replica.LinkedReplicas;
import io.helenus.server.ring.TokenAllocation;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.memory.NodeMemory.Use;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node of several has besides: the replicated metadata log, its part in the cluster, and the
 * access to the replicas of others. Any thread.
 */
final class ClusterParts implements MembershipLog {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterParts.class);

  /** The version of digests that replicas compute. */
  private static final int DIGEST_VERSION = 1;

  /** For how many replicas the tokens of nodes are chosen. */
  private static final int ALLOCATION_REPLICAS = 3;

  /** How long a member may take to send the metadata: the link to it may have to be opened. */
  private static final long FETCH_NANOS = 1_000_000_000L;

  /** How often a member is asked for the metadata. */
  private static final long ASK_NANOS = 50_000_000L;

  /** After what time a change that the log has not taken is proposed again. */
  private static final long REGISTER_NANOS = 10_000_000_000L;

  /** How much may wait in a link: with what was sent of it, a buffer of 16 MiB holds this. */
  private static final long PENDING_BYTES = 14 << 20;

  private final World world;
  private final Settings settings;
  private final ClusterSettings configured;
  private final NodeAddresses addresses;
  private final LocalMetadataLog local;
  private final ReplicatedMetadataLog log;
  private final Shard home;
  private final ClusterMember member;
  private final List<LinkedReplicas> remotes = new ArrayList<>();

  /** Builds the parts on what an enrollment has; nothing is sent. */
  ClusterParts(Enrollment enrollment, ClusterSettings configured) throws IOException {
    this.world = enrollment.world();
    this.settings = enrollment.settings();
    this.configured = configured;
    this.addresses = addresses(settings);
    this.local = enrollment.localLog();
    List<Shard> shards = enrollment.shards();
    home = shards.getFirst();
    for (Shard ignored : shards) {
      remotes.add(new LinkedReplicas(() -> local.state().index(), addresses.broadcast()));
    }
    log =
        new ReplicatedMetadataLog(
            local,
            SystemKeyspaces.all(),
            enrollment.life(),
            this::send,
            () -> live(enrollment),
            world.clock(),
            world.randomness(),
            shards.getFirst(),
            world.fatal()::halt);
    member = member(enrollment);
    member.metadata(log::received);
    member.ahead(log::ahead);
    shards
        .getFirst()
        .execute(
            () ->
                log.readFrom(
                    local.state().index(),
                    new MembersFollower(state -> member.membersLogged(addresses(state)))));
    log.start();
  }

  private ClusterMember member(Enrollment enrollment) throws IOException {
    List<Shard> shards = enrollment.shards();
    ServerTimestamps timestamps = enrollment.timestamps();
    int largest = (int) settings.sizeBytes(Setting.MAX_MUTATION_SIZE);
    NodeIdentity self =
        new NodeIdentity(
            NodeIdentity.NO_CLUSTER,
            configured.clusterName(),
            local.hostId(),
            enrollment.life(),
            shards.size(),
            largest + (1 << 20),
            addresses.broadcast(),
            addresses.client());
    LinkEnvironment environment =
        new LinkEnvironment(
            world.network(),
            world.clock(),
            world.randomness(),
            enrollment.memory().segments(Use.BUFFERS),
            LinkSettings.forMutations(largest, PENDING_BYTES),
            () -> self,
            DIGEST_VERSION,
            peer -> null,
            () -> timestamps.firstUnused() - 1,
            timestamps::goBeyond,
            () -> local.state().index());
    List<Endpoint> seeds = new ArrayList<>();
    for (InetSocketAddress seed : configured.seeds()) {
      seeds.add(new Endpoint(seed.getHostString(), seed.getPort()));
    }
    return new ClusterMember(
        new ClusterMember.Configuration(
            configured.listen(),
            self,
            configured.dataCenter(),
            seeds,
            configured.phiConvictThreshold()),
        shards,
        environment,
        enrollment.members(),
        this,
        world.io(),
        (shard, peer, link) -> remotes.get(shard).link(peer, link),
        world.fatal()::halt);
  }

  private static NodeAddresses addresses(Settings settings) throws IOException {
    NodeAddresses addresses = NodeOptions.addresses(settings);
    if (addresses == null) {
      throw new IOException(
          "rpc_address listens on all addresses; set broadcast_rpc_address to the address that"
              + " clients should connect to");
    }
    return addresses;
  }

  MetadataLog log() {
    return log;
  }

  ClusterMember member() {
    return member;
  }

  List<LinkedReplicas> remotes() {
    return remotes;
  }

  private void send(UUID host, byte[] message) {
    member.sendMetadata(host, message);
  }

  private static Set<UUID> live(Enrollment enrollment) {
    Set<UUID> live = new HashSet<>();
    enrollment.members().all().stream()
        .filter(each -> each.isUp())
        .forEach(each -> live.add(each.hostId()));
    return live;
  }

  private static Map<UUID, MemberAddress> addresses(ClusterState state) {
    Map<UUID, MemberAddress> addresses = new TreeMap<>();
    state
        .nodes()
        .forEach(
            (host, node) -> {
              NodeAddresses known = node.addresses();
              if (known != null) {
                addresses.put(
                    host,
                    new MemberAddress(
                        endpoint(known.broadcast()), endpoint(known.client()), MemberAddress.HINT));
              }
            });
    return addresses;
  }

  private static Endpoint endpoint(InetSocketAddress address) {
    return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
  }

  // ---- what forming asks of the log

  @Override
  public UUID clusterId() {
    UUID id = local.state().clusterId();
    if (id == null) {
      throw new IllegalStateException("the metadata log belongs to no cluster");
    }
    return id;
  }

  @Override
  public boolean hasCluster() {
    return local.state().clusterId() != null;
  }

  @Override
  public boolean isMember(UUID host) {
    return local.state().node(host) != null;
  }

  @Override
  public Map<UUID, MemberAddress> members() {
    return addresses(local.state());
  }

  @Override
  public void found(Consumer<@Nullable String> whenDone) {
    try {
      log.found(
          NodeOptions.identity(settings),
          new Outcomes() {
            @Override
            void applied() {
              whenDone.accept(null);
            }

            @Override
            void refused(String reason) {
              whenDone.accept(reason);
            }

            @Override
            void unclear(String reason) {
              whenDone.accept(reason);
            }
          });
    } catch (IOException e) {
      whenDone.accept(e.getMessage());
    }
  }

  @Override
  public void fetch(UUID from, Consumer<@Nullable String> whenDone) {
    Once outcome = new Once(whenDone);
    ask(from, outcome);
    home.schedule(() -> outcome.accept("it did not send them in time"), FETCH_NANOS);
  }

  /** Asks until there is an outcome, as the link to the member may not be open yet. */
  private void ask(UUID from, Once outcome) {
    if (!outcome.passed) {
      log.fetch(from, () -> outcome.accept(null));
      home.schedule(() -> ask(from, outcome), ASK_NANOS);
    }
  }

  /** Passes on what comes first. One thread. */
  private static final class Once {
    private final Consumer<@Nullable String> to;
    private boolean passed;

    Once(Consumer<@Nullable String> to) {
      this.to = to;
    }

    void accept(@Nullable String failure) {
      if (!passed) {
        passed = true;
        to.accept(failure);
      }
    }
  }

  @Override
  public void join(Joining whenDone) {
    ClusterState state = local.state();
    ClusterNode first = state.nodes().values().iterator().next();
    if (!first.dataCenter().equals(configured.dataCenter())) {
      whenDone.refused(
          "its data centre is "
              + first.dataCenter()
              + ", not "
              + configured.dataCenter()
              + ": clusters of several data centres are not supported yet");
      return;
    }
    log.join(
        new ClusterNode(
            local.hostId(),
            configured.dataCenter(),
            configured.rack(),
            tokens(state),
            addresses,
            Version.TEXT),
        new Outcomes() {
          @Override
          void applied() {
            whenDone.joined();
          }

          @Override
          void refused(String reason) {
            whenDone.refused(reason);
          }

          @Override
          void unclear(String reason) {
            whenDone.unknown(reason);
          }
        });
  }

  /**
   * Lets the log follow if this member is found elsewhere than in its previous run, or runs another
   * release. Any thread.
   */
  void register() {
    home.execute(this::registerChange);
  }

  private void registerChange() {
    ClusterNode self = local.state().node(local.hostId());
    if (self == null
        || (addresses.equals(self.addresses()) && Version.TEXT.equals(self.release()))) {
      return;
    }
    log.register(
        addresses,
        Version.TEXT,
        new Outcomes() {
          @Override
          void applied() {
            LOG.info(
                "This node is registered at {}",
                addresses.broadcast().getAddress().getHostAddress());
          }

          @Override
          void refused(String reason) {
            // such as an address of a member that has moved, too
            unclear(reason);
          }

          @Override
          void unclear(String reason) {
            LOG.debug("This node's addresses are not registered yet: {}", reason);
            home.schedule(ClusterParts.this::registerChange, REGISTER_NANOS);
          }
        });
  }

  private long[] tokens(ClusterState state) {
    List<Long> initial = configured.initialTokens();
    return initial.isEmpty()
        ? TokenAllocation.joining(
            state.ring(), configured.tokenCount(), ALLOCATION_REPLICAS, world.randomness())
        : initial.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** What became of a proposal about membership. */
  private abstract static class Outcomes implements MetadataLog.ProposalCallback {
    abstract void applied();

    abstract void refused(String reason);

    abstract void unclear(String reason);

    @Override
    public void decided(Decision decision) {
      if (decision.outcome() == Outcome.APPLIED) {
        applied();
      } else if (decision.outcome() == Outcome.REFUSED) {
        refused(String.valueOf(decision.refusal()));
      } else {
        unclear("other nodes were decided first");
      }
    }

    @Override
    public void notProposed(Exception cause) {
      unclear(String.valueOf(cause.getMessage()));
    }

    @Override
    public void unknown(Exception cause) {
      unclear(String.valueOf(cause.getMessage()));
    }
  }
}
