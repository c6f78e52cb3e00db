package io.helenus.server.simulation.cluster;

import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.MetadataBug;
import io.helenus.server.metadata.MetadataException;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metadata.Proposal;
import io.helenus.server.metadata.ProposalBytes;
import io.helenus.server.metadata.ReplicatedMetadataLog;
import io.helenus.server.node.ClientConnections;
import io.helenus.server.node.Enrollment;
import io.helenus.server.node.Node;
import io.helenus.server.node.NodeProbe;
import io.helenus.server.node.World;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.shard.Shard;
import io.helenus.server.simulation.RowDecoder;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A real node in a simulated cluster. */
final class RealNode implements SimMember {
  /** Starts real nodes, with parts replaced for planted bugs. */
  record Factory(
      UnaryOperator<NodeEnvironment> parts,
      Node.StorageOpener opener,
      @Nullable Access access,
      @Nullable UnaryOperator<Supplier<ClusterState>> placing,
      UnaryOperator<MetadataLog> log)
      implements NodeFactory {
    /** Puts something between the coordinator of a shard and the replicas on other nodes. */
    interface Access extends BiFunction<Shard, RemoteReplicas, RemoteReplicas> {}

    /** Replaces nothing. */
    Factory() {
      this(environment -> environment, LocalStorage::open, null, null, UnaryOperator.identity());
    }

    /** Plants a bug between coordinators and replicas. */
    Factory(LinkBug bug) {
      this(
          environment -> environment,
          LocalStorage::open,
          bug::in,
          bug::placing,
          UnaryOperator.identity());
    }

    /** Plants a bug in what a node proposes to the metadata log. */
    Factory(MetadataBug bug) {
      this(environment -> environment, LocalStorage::open, null, null, bug::in);
    }

    /** Puts something between coordinators and replicas. */
    Factory(Access access) {
      this(environment -> environment, LocalStorage::open, access, null, UnaryOperator.identity());
    }

    /** Replaces the storage. */
    static Factory of(Node.StorageOpener opener) {
      return new Factory(environment -> environment, opener, null, null, UnaryOperator.identity());
    }

    /** Replaces the files. */
    static Factory ofFiles(UnaryOperator<FileSystem> files) {
      return new Factory(
          environment -> environment.with(files.apply(environment.files())),
          LocalStorage::open,
          null,
          null,
          UnaryOperator.identity());
    }

    @Override
    public SimMember start(NodeEnvironment environment) throws IOException {
      return new RealNode(parts.apply(environment), this);
    }
  }

  /** A node without client connections. */
  private static final class NoClients implements ClientConnections {
    @Override
    public List<Session> sessions() {
      return List.of();
    }

    @Override
    public int port() {
      return 9042;
    }
  }

  private final NodeEnvironment environment;
  private final Node.StorageOpener opener;
  private final Settings settings;
  private final Enrollment enrollment;
  private final MetadataLog log;
  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final List<List<Runnable>> unsent = new ArrayList<>();
  private @Nullable Node open;
  private boolean started;

  private RealNode(NodeEnvironment environment, Factory factory) throws IOException {
    this.environment = environment;
    this.opener = factory.opener;
    settings = settings(environment);
    World world =
        new World(
            environment.files(),
            environment.clock(),
            environment.randomness(),
            List.<Scheduler>copyOf(environment.loops()),
            environment.io(),
            environment.background(),
            environment.background(),
            PageDiscard.NONE,
            () -> true,
            environment.network(),
            environment.fatal());
    session.protocolVersion(RecordedExchange.VERSION);
    enrollment = Enrollment.open(world, settings);
    log = NodeProbe.log(enrollment);
    NodeProbe.log(enrollment, factory.log);
    if (factory.access != null) {
      NodeProbe.access(enrollment, factory.access);
    }
    if (factory.placing != null) {
      NodeProbe.placing(enrollment, factory.placing);
    }
    follow();
    Scheduler home = environment.loops().getFirst();
    CompletableFuture<Void> unused =
        enrollment
            .enroll()
            .whenComplete((ignored, failure) -> home.execute(() -> enrolled(failure)));
  }

  /** Reports every slot that this node applies. */
  private void follow() {
    ClusterState state = log.state();
    begin(state);
    Scheduler home = environment.loops().getFirst();
    home.execute(
        () ->
            log.readFrom(
                state.index(),
                new MetadataLog.Follower() {
                  @Override
                  public void applied(long index, Proposal proposal, ClusterState after) {
                    environment.history().applied(index, ProposalBytes.hash(proposal), hash(after));
                    knowsCluster(after);
                  }

                  @Override
                  public void replaced(ClusterState after) {
                    begin(after);
                  }

                  @Override
                  public void refused(MetadataException cause) {
                    throw new AssertionError(cause);
                  }
                }));
  }

  private void begin(ClusterState state) {
    environment.history().beganWith(state.index(), hash(state));
    knowsCluster(state);
  }

  private void knowsCluster(ClusterState state) {
    if (settings.cluster() != null && state.clusterId() instanceof UUID id) {
      environment.history().memberOf(id.toString());
    }
  }

  /** The node is a member: it opens the rest. */
  private void enrolled(@Nullable Throwable failure) {
    if (failure != null) {
      throw new ViolationError(Violation.NOT_STARTED, failure.toString(), failure);
    }
    try {
      Node node = Node.open(enrollment, new NoClients(), opener);
      open = node;
      for (Shard shard : node.shards()) {
        List<Runnable> answers = new ArrayList<>();
        unsent.add(answers);
        shard.onTickEnd(() -> send(answers));
      }
      CompletableFuture<Void> unused =
          node.start(event -> {})
              .thenRun(
                  () -> {
                    started = true;
                    node.servesClients(true);
                  });
    } catch (IOException e) {
      throw new ViolationError(Violation.NOT_STARTED, e.toString(), e);
    }
  }

  private static Settings settings(NodeEnvironment environment) {
    TestSettings settings =
        TestSettings.simulated()
            .with(Setting.MEMTABLE_OFFHEAP_SPACE, "64KiB")
            .with(Setting.COMMITLOG_SEGMENT_SIZE, "16KiB")
            .with(Setting.BLOCK_CACHE_SIZE, "256KiB")
            .with(Setting.COMMITLOG_SYNC, environment.syncMode().name().toLowerCase(Locale.ROOT))
            .with(Setting.COMMITLOG_SYNC_PERIOD, "20ms")
            .with(Setting.TRUNCATE_REQUEST_TIMEOUT, "15s");
    List<InetSocketAddress> seeds = environment.seeds().get();
    if (seeds.size() == 1) {
      return settings.build();
    }
    String own = environment.address().getAddress().getHostAddress();
    return settings
        .with(
            Setting.SEEDS,
            seeds.stream()
                .map(each -> each.getAddress().getHostAddress() + ":" + each.getPort())
                .collect(Collectors.joining(",")))
        .with(Setting.INITIAL_CLUSTER_SIZE, Integer.toString(seeds.size()))
        .with(Setting.LISTEN_ADDRESS, own)
        .with(Setting.RPC_ADDRESS, own)
        .with(Setting.STORAGE_PORT, Integer.toString(environment.address().getPort()))
        .build();
  }

  /** A hash of everything that all nodes must agree on. */
  private static long hash(ClusterState state) {
    long hash = state.schema().version().hashCode();
    hash = hash * 31 + state.clusterName().hashCode();
    hash = hash * 31 + Objects.hashCode(state.clusterId());
    hash = hash * 31 + state.voters().hashCode();
    hash = hash * 31 + state.lastTableId();
    hash = hash * 31 + state.truncations().hashCode();
    for (ClusterNode each : state.nodes().values()) {
      hash = hash * 31 + each.hostId().hashCode();
      hash = hash * 31 + each.dataCenter().hashCode();
      hash = hash * 31 + each.rack().hashCode();
      hash = hash * 31 + Objects.hashCode(each.addresses());
      hash = hash * 31 + Arrays.hashCode(each.tokens());
    }
    return hash;
  }

  @Override
  public boolean isReady() {
    return started && members() >= environment.seeds().get().size();
  }

  private Node node() {
    Node node = open;
    if (node == null) {
      throw new AssertionError("the node is not open yet");
    }
    return node;
  }

  // requests

  /** Responses leave when a tick ends, after its log records have been written. */
  private static void send(List<Runnable> answers) {
    List<Runnable> sent = List.copyOf(answers);
    answers.clear();
    sent.forEach(Runnable::run);
  }

  @Override
  public void request(int loop, ClientRequest request, Consumer<Answer> answered) {
    List<Runnable> answers = unsent.get(loop);
    RecordedExchange exchange =
        new RecordedExchange(
            response -> answers.add(() -> answered.accept(answer(request, response))));
    Node node = node();
    node.shards()
        .get(loop)
        .execute(
            () -> {
              try {
                node.handlers()
                    .get(loop)
                    .handle(
                        session, new Request.Query(request.cql(), parameters(request)), exchange);
              } catch (CqlException e) {
                exchange.respondError(e.error());
              } catch (Throwable e) {
                // as a connection does
                Exception contained = environment.fatal().contain(e);
                exchange.respondError(new CqlError.ServerError(contained.toString()));
              }
            });
  }

  private static QueryParameters parameters(ClientRequest request) {
    QueryParameters parameters = new QueryParameters();
    parameters.reset(request.level());
    if (request.nowSeconds() > 0) {
      parameters.nowInSeconds((int) request.nowSeconds());
    }
    parameters.pageSize(request.pageSize());
    byte[] state = request.pagingState();
    if (state != null) {
      ByteWriter bytes = new ByteWriter(state.length);
      bytes.putBytes(state);
      parameters.values().begin(bytes.segment());
      parameters.pagingState(0, state.length);
    }
    return parameters;
  }

  private static Answer answer(ClientRequest request, Response response) {
    return switch (response) {
      case Response.Failure failure ->
          new Answer.Failure(failure.code(), failure.message(), failure.fields());
      case Response.Rows rows ->
          new Answer.Rows(
              request.read() == null ? List.of() : RowDecoder.rows(rows),
              request.read() == null ? RowDecoder.texts(rows) : List.of(),
              rows.pagingState());
      default -> new Answer.Done();
    };
  }

  // its life

  @Override
  public CompletableFuture<Void> stop() {
    return node().stop();
  }

  @Override
  public void close() {
    node().close();
  }

  @Override
  public void rewriteFiles(boolean compact) {
    CompletableFuture<Void> unused = compact ? node().compactAll() : node().flushAll();
    assert unused != null;
  }

  @Override
  public int members() {
    ClusterState state = log.state();
    boolean joins =
        log instanceof ReplicatedMetadataLog replicated && state.node(replicated.hostId()) == null;
    return joins ? 0 : state.nodes().size();
  }

  @Override
  public Map<String, Long> held() {
    return NodeProbe.held(node());
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    if (log instanceof ReplicatedMetadataLog replicated) {
      counters.put("contended slots", replicated.contendedSlots());
    }
    if (open instanceof Node node) {
      counters.putAll(NodeProbe.counters(node));
    }
    return counters;
  }
}
