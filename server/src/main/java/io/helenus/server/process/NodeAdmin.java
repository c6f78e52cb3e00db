package io.helenus.server.process;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.GarbageCollections;
import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.admin.Snapshots;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.node.Node;
import io.helenus.server.node.NodeOptions;
import io.helenus.server.process.logging.LogLevels;
import io.helenus.server.replica.PartitionSampler;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.NodeStatistics;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.env.WorkerPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running node as commands see it. Any thread but those of the shards. */
final class NodeAdmin implements AdminNode {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAdmin.class);
  private static final Path OWN_STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  /** How often a caller learns how far a long command is. */
  private static final long PROGRESS_MILLIS = 1000;

  private final Node node;
  private final ClientService clients;
  private final GarbageMonitor garbage = new GarbageMonitor();
  private final LogLevels logLevels = new LogLevels();
  private final CompletableFuture<Void> stopping = new CompletableFuture<>();
  private volatile Timeouts timeouts;
  private volatile boolean drained;

  NodeAdmin(Node node, Settings settings, ClientService clients) {
    this.node = node;
    this.clients = clients;
    this.timeouts = NodeOptions.timeouts(settings);
  }

  /** An action of storage that reports its outcome later. */
  private interface Action {
    void start(Storage storage, Consumer<? super Exception> whenDone);
  }

  private void carryOut(Action action) throws CommandException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    action.start(
        node.storage(),
        failure -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    await(done);
  }

  private <T> T await(CompletableFuture<T> future) throws CommandException {
    try {
      Object first = CompletableFuture.anyOf(future, stopping).get();
      if (first == null && !future.isDone()) {
        throw CommandException.failed("the node is stopping");
      }
      return future.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw CommandException.failed(String.valueOf(cause == null ? e : cause.getMessage()));
    }
  }

  /** Lets the commands in progress fail, because what they wait for may not happen any more. */
  void stop() {
    stopping.complete(null);
  }

  @Override
  public NodeFacts facts() {
    return node.facts();
  }

  @Override
  public ClusterState state() {
    return node.metadata().state();
  }

  @Override
  public ClusterNode self() {
    return node.metadata().localNode();
  }

  @Override
  public int compactors() {
    return node.world().background() instanceof WorkerPool pool ? pool.threads() : 1;
  }

  @Override
  public NodeStatistics statistics(@Nullable TableMetric kind, int[] tableIds)
      throws CommandException {
    CompletableFuture<NodeStatistics> statistics = new CompletableFuture<>();
    Shard asking = node.shards().getFirst();
    asking.execute(() -> node.facts().gather(asking, kind, tableIds, statistics::complete));
    return await(statistics);
  }

  @Override
  public NodeMeasurements measurements(int[] tableIds) throws CommandException {
    CompletableFuture<NodeMeasurements> measurements = new CompletableFuture<>();
    Shard asking = node.shards().getFirst();
    asking.execute(() -> node.counts(asking, tableIds, measurements::complete));
    return await(measurements);
  }

  @Override
  public long residentBytes() {
    try {
      for (String line : Files.readAllLines(OWN_STATUS)) {
        if (line.startsWith(RESIDENT)) {
          String kibibytes = line.substring(RESIDENT.length(), line.lastIndexOf(' ')).strip();
          return Long.parseLong(kibibytes) << 10;
        }
      }
    } catch (IOException e) {
      LOG.debug("Cannot read {}", OWN_STATUS, e);
    }
    return 0;
  }

  @Override
  public void flush(int tableId) throws CommandException {
    carryOut((storage, whenDone) -> storage.flush(tableId, whenDone));
  }

  @Override
  public void compact(int tableId) throws CommandException {
    flush(tableId);
    carryOut((storage, whenDone) -> storage.compact(tableId, whenDone));
  }

  @Override
  public void rebuildIndex(int tableId, int indexId) throws CommandException {
    carryOut((storage, whenDone) -> storage.rebuildIndex(tableId, indexId, whenDone));
  }

  @Override
  public ViewVerification.Report verifyView(
      int baseId, int viewId, boolean repairs, Predicate<ViewVerification.Counts> goesOn)
      throws CommandException {
    ViewVerification verification = node.verification(baseId, viewId, repairs);
    CompletableFuture<Void> done = new CompletableFuture<>();
    verification.start(
        failure -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    try {
      while (!isDoneWithin(done, PROGRESS_MILLIS)) {
        if (!goesOn.test(verification.counts())) {
          throw CommandException.failed("interrupted");
        }
      }
      await(done);
    } finally {
      verification.stop();
    }
    return verification.report();
  }

  /** Waits for a future, for some time at most; also if the node stops, which is for the caller. */
  private boolean isDoneWithin(CompletableFuture<Void> future, long millis) {
    try {
      Object first = CompletableFuture.anyOf(future, stopping).get(millis, TimeUnit.MILLISECONDS);
      return first == null;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void snapshot(int tableId, String folder, boolean skipFlush) throws CommandException {
    carryOut((storage, whenDone) -> storage.snapshot(tableId, folder, skipFlush, whenDone));
  }

  @Override
  public void load(int tableId, FilesToLoad files) throws CommandException {
    carryOut((storage, whenDone) -> storage.load(tableId, files, whenDone));
  }

  @Override
  public List<String> filesWith(int tableId, byte[] prefix) throws CommandException {
    List<String> paths = Collections.synchronizedList(new ArrayList<>());
    carryOut((storage, whenDone) -> storage.findFiles(tableId, prefix, paths::add, whenDone));
    return List.copyOf(paths);
  }

  @Override
  public Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> sample(
      PartitionSampler.Options options, int millis) throws CommandException {
    List<PartitionSampler> samplers = new ArrayList<>();
    node.shards().forEach(shard -> samplers.add(new PartitionSampler(options)));
    node.replica().sample(samplers);
    try {
      Object first = stopping.get(millis, TimeUnit.MILLISECONDS);
      assert first == null;
      throw CommandException.failed("the node is stopping");
    } catch (TimeoutException over) {
      // as intended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted");
    } catch (ExecutionException e) {
      throw CommandException.failed(e.toString());
    } finally {
      node.replica().endSampling();
    }
    Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> all =
        new EnumMap<>(PartitionSampler.Kind.class);
    for (int i = 0; i < samplers.size(); i++) {
      PartitionSampler sampler = samplers.get(i);
      CompletableFuture<Map<PartitionSampler.Kind, List<PartitionSampler.Sample>>> ofShard =
          new CompletableFuture<>();
      node.shards().get(i).execute(() -> ofShard.complete(samples(sampler, options)));
      await(ofShard).forEach((kind, some) -> addTo(all, kind, some));
    }
    return all;
  }

  private static Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> samples(
      PartitionSampler sampler, PartitionSampler.Options options) {
    Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> samples =
        new EnumMap<>(PartitionSampler.Kind.class);
    options.kinds().forEach(kind -> samples.put(kind, sampler.samples(kind)));
    return samples;
  }

  private static void addTo(
      Map<PartitionSampler.Kind, List<PartitionSampler.Sample>> all,
      PartitionSampler.Kind kind,
      List<PartitionSampler.Sample> some) {
    List<PartitionSampler.Sample> known = all.get(kind);
    if (known == null) {
      all.put(kind, new ArrayList<>(some));
    } else {
      known.addAll(some);
    }
  }

  @Override
  public GarbageCollections garbageCollections() {
    return garbage.next(nowMicros() / 1000);
  }

  @Override
  public Snapshots snapshots() {
    return node.snapshots();
  }

  @Override
  public void takeSnapshotTurn() throws CommandException {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    snapshots()
        .turns()
        .take(
            () -> {
              if (!turn.complete(null)) {
                snapshots().turns().end();
              }
            });
    try {
      await(turn);
    } catch (CommandException e) {
      if (!turn.cancel(false)) {
        snapshots().turns().end();
      }
      throw e;
    }
  }

  @Override
  public long nowMicros() {
    return node.world().clock().wallMicros();
  }

  @Override
  public boolean isServing() {
    return clients.isServing();
  }

  @Override
  public void whenResponsive(Runnable callback) {
    AtomicInteger left = new AtomicInteger(node.shards().size());
    for (Shard shard : node.shards()) {
      shard.execute(
          () -> {
            if (left.decrementAndGet() == 0) {
              callback.run();
            }
          });
    }
  }

  @Override
  public boolean isDrained() {
    return drained;
  }

  @Override
  public void drain() throws CommandException {
    drained = true;
    await(clients.stop(false));
    await(node.flushAll());
  }

  @Override
  public void startServing() throws CommandException {
    clients.start();
  }

  @Override
  public void stopServing(boolean force) throws CommandException {
    await(clients.stop(force));
  }

  @Override
  public Timeouts timeouts() {
    return timeouts;
  }

  @Override
  public void timeouts(Timeouts changed) {
    timeouts = changed;
    node.timeouts(changed);
  }

  @Override
  public SortedMap<String, String> logLevels() {
    return logLevels.all();
  }

  @Override
  public void logLevel(String logger, @Nullable String level) {
    logLevels.set(logger, level);
  }

  @Override
  public void resetLogLevels() {
    logLevels.reset();
  }
}
