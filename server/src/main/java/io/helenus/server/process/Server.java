package io.helenus.server.process;

import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.internode.Network;
import io.helenus.server.node.ClientConnections;
import io.helenus.server.node.Enrollment;
import io.helenus.server.node.Heap;
import io.helenus.server.node.Node;
import io.helenus.server.node.NodeOptions;
import io.helenus.server.node.World;
import io.helenus.server.protocol.Authenticator;
import io.helenus.server.protocol.Session;
import io.helenus.server.transport.ClientTransport;
import io.helenus.server.transport.EventLoops;
import io.helenus.server.transport.TickEnd;
import io.helenus.server.transport.TransportShard;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.SystemClock;
import io.helenus.storage.env.SystemPages;
import io.helenus.storage.env.SystemRandomness;
import io.helenus.storage.env.WorkerPool;
import io.helenus.storage.local.LocalStorage;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node with its sockets, threads and files. Created by {@link #start}; {@link #close}
 * stops it in reverse order: it stops accepting connections, finishes requests in flight (long
 * reads are cancelled), flushes memtables and closes the files.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final int IO_THREADS = 4;
  private static final long GRACE_MILLIS = 10_000;
  private static final long STOP_SECONDS = 60;

  private final Threads threads;
  private final Node node;
  private final ClientTransport transport;
  private final ClientService clients;
  private final AdminService admin;
  private final MemoryKeeper memory;
  private final InetSocketAddress address;

  private Server(
      Threads threads,
      Node node,
      ClientTransport transport,
      ClientService clients,
      AdminService admin,
      MemoryKeeper memory,
      InetSocketAddress address) {
    this.threads = threads;
    this.node = node;
    this.transport = transport;
    this.clients = clients;
    this.admin = admin;
    this.memory = memory;
    this.address = address;
  }

  /** The threads of a node. */
  private record Threads(
      MultiThreadIoEventLoopGroup loops, WorkerPool io, WorkerPool search, WorkerPool background) {
    static Threads make(int shards) {
      return new Threads(
          EventLoops.create(shards, new DefaultThreadFactory("shard")),
          new WorkerPool("io", IO_THREADS),
          new WorkerPool("search", Runtime.getRuntime().availableProcessors()),
          new WorkerPool("compaction", NodeOptions.backgroundThreads()));
    }

    List<IoEventLoop> eventLoops() {
      List<IoEventLoop> eventLoops = new ArrayList<>();
      for (EventExecutor loop : loops) {
        eventLoops.add((IoEventLoop) loop);
      }
      return eventLoops;
    }

    void stopLoops() {
      loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }

    void stopPools() {
      background.close();
      search.close();
      io.close();
    }
  }

  /** Starts a node on its data folder; it accepts requests when this returns. */
  public static Server start(Settings settings) throws IOException {
    return start(settings, new StartWaits());
  }

  /**
   * Starts a node on its data folder; it accepts requests when this returns.
   *
   * @param waits those for other nodes
   * @throws StartWaits.EndedException if such a wait was ended
   */
  static Server start(Settings settings, StartWaits waits) throws IOException {
    Path folder = Path.of(settings.text(Setting.DATA_DIRECTORY));
    return start(settings, new DiskFileSystem(folder), waits);
  }

  /** Starts a node on its data folder, accessed through this file system. */
  static Server start(Settings settings, FileSystem files) throws IOException {
    return start(settings, files, new StartWaits());
  }

  private static Server start(Settings settings, FileSystem files, StartWaits waits)
      throws IOException {
    Threads threads = Threads.make(shardCount(settings));
    try {
      Clock clock = new SystemClock();
      List<Scheduler> schedulers = new ArrayList<>();
      threads.eventLoops().forEach(loop -> schedulers.add(new LoopScheduler(loop, clock)));
      ProcessHalt halt = new ProcessHalt();
      World world =
          new World(
              files,
              clock,
              new SystemRandomness(),
              schedulers,
              threads.io,
              threads.search,
              threads.background,
              SystemPages.discard(),
              new HeapRoom(Heap.OF_PROCESS, clock),
              settings.cluster() == null
                  ? Network.NONE
                  : new SocketNetwork(threads.eventLoops(), halt),
              halt);
      return start(settings, threads, world, waits);
    } catch (IOException | RuntimeException e) {
      threads.stopLoops();
      threads.stopPools();
      throw e;
    }
  }

  private static Server start(Settings settings, Threads threads, World world, StartWaits waits)
      throws IOException {
    Connections connections = new Connections(settings.number(Setting.NATIVE_TRANSPORT_PORT));
    Node node = Node.open(enrolled(world, settings, waits), connections, LocalStorage::open);
    @Nullable AdminService admin = null;
    try {
      ClientTransport transport =
          new ClientTransport(
              ClientLimits.of(settings),
              shards(threads.eventLoops(), node),
              new Authenticator.AllowAll(),
              node.memory());
      connections.transport = transport;
      await(node.start(transport::publish));
      ClientService clients = new ClientService(transport, GRACE_MILLIS, node::servesClients);
      admin =
          AdminService.start(
              settings,
              world.files(),
              threads.eventLoops().getFirst(),
              new NodeAdmin(node, settings, clients));
      awaitOthers(node, settings, waits);
      InetSocketAddress address =
          clients.open(
              new InetSocketAddress(
                  settings.text(Setting.RPC_ADDRESS),
                  settings.number(Setting.NATIVE_TRANSPORT_PORT)));
      connections.port = address.getPort();
      MemoryKeeper memory =
          new MemoryKeeper(node.memory(), Heap.OF_PROCESS, world.loops().getFirst(), threads.io);
      memory.start();
      // not earlier, when it would compete with start-up for a core
      threads.io.execute(WarmUp::run);
      return new Server(threads, node, transport, clients, admin, memory, address);
    } catch (IOException | RuntimeException e) {
      if (admin != null) {
        admin.close();
      }
      await(node.stop());
      threads.stopLoops();
      node.close();
      throw e;
    }
  }

  /** Waits until the node is a member of its cluster. */
  private static Enrollment enrolled(World world, Settings settings, StartWaits waits)
      throws IOException {
    Enrollment enrollment = Enrollment.open(world, settings);
    try {
      waits.await(enrollment.enroll());
      return enrollment;
    } catch (IOException e) {
      enrollment.closeLinks();
      enrollment.close();
      throw e;
    }
  }

  /**
   * Waits until the cluster has as many members as it should begin with. Members count, not live
   * ones: a cluster that was complete once serves while some of its nodes are down.
   */
  private static void awaitOthers(Node node, Settings settings, StartWaits waits)
      throws IOException {
    ClusterSettings cluster = settings.cluster();
    if (cluster == null || node.members() >= cluster.initialSize()) {
      return;
    }
    LOG.info(
        "Clients are served when {} nodes have joined the cluster; {} so far",
        cluster.initialSize(),
        node.members());
    waits.await(node.whenMembers(cluster.initialSize()));
  }

  private static int shardCount(Settings settings) {
    int configured = settings.number(Setting.SHARDS);
    return configured > 0 ? configured : Runtime.getRuntime().availableProcessors();
  }

  /** Refers to the transport, which is created after the node. */
  private static final class Connections implements ClientConnections {
    private volatile @Nullable ClientTransport transport;
    private volatile int port;

    Connections(int configuredPort) {
      port = configuredPort;
    }

    @Override
    public List<Session> sessions() {
      ClientTransport clients = transport;
      return clients == null ? List.of() : clients.sessions();
    }

    @Override
    public int port() {
      return port;
    }
  }

  private static List<TransportShard> shards(List<IoEventLoop> eventLoops, Node node) {
    List<TransportShard> shards = new ArrayList<>();
    for (int i = 0; i < eventLoops.size(); i++) {
      var shard = node.shards().get(i);
      TickEnd tickEnd =
          new TickEnd() {
            @Override
            public void tick() {
              shard.tick();
            }

            @Override
            public void onTickEnd(Runnable flush) {
              shard.onTickEnd(flush);
            }

            @Override
            public void executeLast(Runnable slice) {
              shard.executeLast(slice);
            }
          };
      shards.add(
          new TransportShard(eventLoops.get(i), node.handlers().get(i), tickEnd, shard.fatal()));
    }
    return shards;
  }

  /** The address that clients connect to, with the actual port if 0 was configured. */
  public InetSocketAddress address() {
    return address;
  }

  /** The port that clients connect to. */
  public int port() {
    return address.getPort();
  }

  /** The open connections. */
  public List<Session> sessions() {
    return transport.sessions();
  }

  /** The node without its sockets. */
  public Node node() {
    return node;
  }

  /**
   * Cancels the reads in progress and rejects further ones. {@link #close} does so too; a caller
   * with something to do before it calls this first.
   */
  void stopReads() {
    node.stopReads();
  }

  /** Stops the node; everything is on disk when this returns. */
  @Override
  public void close() {
    memory.stop();
    stopReads();
    await(clients.stop(false));
    admin.close();
    await(node.stop());
    threads.stopLoops();
    node.close();
    threads.stopPools();
  }

  private static void await(CompletableFuture<Void> future) {
    try {
      future.get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.error("A step of starting or stopping the node failed or timed out", e);
    }
  }
}
