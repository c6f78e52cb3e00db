package io.helenus.server.node;

import io.helenus.server.admin.AdminFiles;
import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.cluster.Members;
import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metadata.NodeIdentity;
import io.helenus.server.metadata.TimestampReservation;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.replica.LinkedReplicas;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.Scheduler.Timer;
import io.helenus.storage.env.StoppableScheduler;
import io.helenus.storage.memory.NodeMemory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node before it serves anything: its data folder is locked, its metadata log is open, and its
 * shards run. A node of several becomes a member of its cluster in this state; {@link Node#open}
 * then builds the rest on it. Any thread.
 */
public final class Enrollment implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Enrollment.class);

  private final World world;
  private final Settings settings;
  private final Closeable lock;
  private final NodeMemory memory;
  private final List<Shard> shards;
  private final LocalMetadataLog localLog;
  private MetadataLog metadataLog;
  private final TimestampReservation reservation;
  private final ServerTimestamps timestamps;
  private final CompletableFuture<Void> timestampsReserved;
  private final long life;
  private final Members members;
  private final List<LinkedReplicas> remotes = new ArrayList<>();
  private final @Nullable ClusterMember cluster;
  private final Runnable register;
  private Access access = (shard, others) -> others;
  private UnaryOperator<Supplier<ClusterState>> placed = UnaryOperator.identity();

  /** What stands between a shard and the replicas on other nodes. */
  interface Access extends BiFunction<Shard, RemoteReplicas, RemoteReplicas> {}

  private Enrollment(World world, Settings settings, Closeable lock) throws IOException {
    this.world = world;
    this.settings = settings;
    this.lock = lock;
    memory = settings.memory().allocate(world.pages());
    shards = shards(world);
    Shard first = shards.getFirst();
    ClusterSettings of = settings.cluster();
    localLog = openLog(world, NodeOptions.identity(settings), of == null, first);
    reservation =
        TimestampReservation.open(
            world.files(), world.clock(), world.io(), first, world.fatal()::halt);
    timestamps = new ServerTimestamps(world.clock(), reservation);
    life = reservation.life(world.randomness());
    // in parallel with opening the storage, which takes longer
    timestampsReserved = reservation.start();
    members = new Members(localLog.hostId());
    if (of == null) {
      metadataLog = localLog;
      cluster = null;
      register = () -> {};
    } else {
      ClusterParts parts = new ClusterParts(this, of);
      metadataLog = parts.log();
      cluster = parts.member();
      register = parts::register;
      remotes.addAll(parts.remotes());
    }
  }

  private static LocalMetadataLog openLog(
      World world, NodeIdentity identity, boolean alone, Shard first) {
    Executor io = world.fatal().guarded(world.io());
    return alone
        ? LocalMetadataLog.open(
            world.files(), SystemKeyspaces.all(), identity, world.randomness(), io, first)
        : LocalMetadataLog.openUnfounded(
            world.files(), SystemKeyspaces.all(), identity, world.randomness(), io, first);
  }

  /**
   * Opens the data folder of a node. Blocks.
   *
   * @throws IOException if it is in use, damaged, or not this node's
   */
  public static Enrollment open(World world, Settings settings) throws IOException {
    world.files().createFolders("");
    FileSystem files = world.files();
    FileSystem.Lock lock = files.lock(Node.LOCK);
    try {
      DataLayout.checkOrRecord(files);
      // Whoever reads which process runs here must not take the previous one's address for its own.
      if (files.exists(AdminFiles.ADDRESS)) {
        files.delete(AdminFiles.ADDRESS);
      }
      lock.recordProcess();
      return new Enrollment(world, settings, lock);
    } catch (Throwable e) {
      lock.close();
      throw e;
    }
  }

  private static List<Shard> shards(World world) {
    List<Shard> shards = new ArrayList<>();
    for (Scheduler loop : world.loops()) {
      shards.add(
          new Shard(shards.size(), new StoppableScheduler(loop), world.clock(), world.fatal()));
    }
    return List.copyOf(shards);
  }

  /**
   * Makes the node a member of its cluster; completes when it is one. A node does not speak to
   * others before its life is durable.
   */
  public CompletableFuture<Void> enroll() {
    ClusterMember joining = cluster;
    return joining == null
        ? CompletableFuture.completedFuture(null)
        : timestampsReserved.thenCompose(
            ignored -> {
              try {
                return joining.form().thenRun(register).thenCompose(formed -> pause());
              } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
              }
            });
  }

  private CompletableFuture<Void> pause() {
    CompletableFuture<Void> over = new CompletableFuture<>();
    long nanos = reservation.pauseNanos();
    if (nanos == 0) {
      over.complete(null);
    } else {
      LOG.warn(
          "Timestamps of this node are ahead of the clock, since it was killed several times or the"
              + " clock was set back: it goes on in {} ms",
          nanos / 1_000_000);
      Timer ignored = shards.getFirst().schedule(() -> over.complete(null), nanos);
    }
    return over;
  }

  World world() {
    return world;
  }

  Settings settings() {
    return settings;
  }

  NodeMemory memory() {
    return memory;
  }

  List<Shard> shards() {
    return shards;
  }

  /** This node's copy of the log. */
  LocalMetadataLog localLog() {
    return localLog;
  }

  /** The log of the cluster, or of the node if it is alone. */
  MetadataLog metadataLog() {
    return metadataLog;
  }

  /** Puts something in front of the log; before the node is opened. */
  void metadataLog(UnaryOperator<MetadataLog> changed) {
    metadataLog = changed.apply(metadataLog);
  }

  TimestampReservation reservation() {
    return reservation;
  }

  ServerTimestamps timestamps() {
    return timestamps;
  }

  /** Completes when server timestamps may be given out. */
  CompletableFuture<Void> timestampsReserved() {
    return timestampsReserved;
  }

  /** Which of the node's runs this is. */
  long life() {
    return life;
  }

  Members members() {
    return members;
  }

  /** The access of a shard to the replicas on other nodes; null on a single node. */
  @Nullable RemoteReplicas remotes(Shard shard) {
    return remotes.isEmpty() ? null : access.apply(shard, remotes.get(shard.index()));
  }

  /** The replicas on other nodes by shard; none on a single node. */
  List<LinkedReplicas> linked() {
    return remotes;
  }

  /** Puts something in front of the replicas on other nodes; before the node is opened. */
  void access(Access changed) {
    access = changed;
  }

  /** The state by which coordinators place requests. */
  Supplier<ClusterState> placing(Supplier<ClusterState> present) {
    return placed.apply(present);
  }

  /** Lets coordinators place requests by another state; before the node is opened. */
  void placing(UnaryOperator<Supplier<ClusterState>> changed) {
    placed = changed;
  }

  /** The part in a cluster; null on a single node. */
  @Nullable ClusterMember cluster() {
    return cluster;
  }

  /** Closes the links to other nodes. While the shards run. */
  public void closeLinks() throws IOException {
    ClusterMember member = cluster;
    if (member != null) {
      member.close();
    }
  }

  /** Unlocks the folder. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
