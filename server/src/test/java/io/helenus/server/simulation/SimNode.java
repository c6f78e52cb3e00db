package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.server.config.ConfigException;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.error.CqlError;
import io.helenus.server.node.ClientDoor;
import io.helenus.server.node.Node;
import io.helenus.server.node.World;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A node of the simulation: the real one, on simulated files, time and threads. */
final class SimNode {
  /** Bugs put in on purpose, to see that they are noticed. */
  interface Plants {
    /** No bug. */
    Plants NONE = new Plants() {};

    /** The files as the node sees them. */
    default FileSystem files(FileSystem files) {
      return files;
    }

    /** How storage is opened. */
    default Node.StorageOpener opener() {
      return io.helenus.storage.engine.local.LocalStorage::open;
    }

    /** What unexpected exceptions mean. */
    default FatalErrors fatal() {
      return new NoErrors();
    }

    /** What an answer to a client goes through. */
    default Exchange exchange(Exchange exchange) {
      return exchange;
    }
  }

  /** An error, contained or not, is a bug that the simulation has found. */
  private static final class NoErrors implements FatalErrors {
    @Override
    public void halt(Throwable cause) {
      if (cause instanceof Error error) {
        throw error;
      }
      throw new AssertionError("the node stopped itself", cause);
    }

    @Override
    public Exception contain(Throwable failure) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw new AssertionError("an unexpected exception", failure);
    }
  }

  /** Nobody comes through a socket. */
  private static final class NoDoor implements ClientDoor {
    @Override
    public List<Session> sessions() {
      return List.of();
    }

    @Override
    public int port() {
      return 9042;
    }
  }

  private final SimWorld world;
  private final Plants plants;
  private final FatalErrors fatal;
  private final Node node;
  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

  SimNode(SimWorld world, FileSystem files, int shards, SyncMode syncMode, Plants plants) {
    this.world = world;
    this.plants = plants;
    fatal = plants.fatal();
    List<Scheduler> loops = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      loops.add(world.scheduler("shard-" + i));
    }
    World outside =
        new World(
            files,
            world.clock(),
            world.randomness(),
            loops,
            world.pool("io"),
            world.pool("background"),
            fatal);
    try {
      node = Node.open(outside, settings(syncMode), new NoDoor(), plants.opener());
    } catch (IOException e) {
      throw new AssertionError("the node does not start", e);
    }
    session.protocolVersion(SimExchange.VERSION);
    await(node.start(event -> world.note(event.toString())));
  }

  private static Settings settings(SyncMode syncMode) {
    try {
      return new Settings.Builder()
          .set("sim", Setting.MEMTABLE_OFFHEAP_SPACE.name(), "64KiB")
          .set("sim", Setting.COMMITLOG_SEGMENT_SIZE.name(), "16KiB")
          .set("sim", Setting.BLOCK_CACHE_SIZE.name(), "256KiB")
          .set("sim", Setting.COMMITLOG_SYNC.name(), syncMode.name().toLowerCase(Locale.ROOT))
          .build();
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  int shards() {
    return node.shards().size();
  }

  /** Sends a statement to a shard; the second at which it happens is the client's. */
  void query(int shardIndex, String cql, long nowSeconds, Consumer<Response> answered) {
    Shard shard = node.shards().get(shardIndex);
    shard.execute(
        () -> {
          QueryParameters parameters = new QueryParameters();
          parameters.reset(ConsistencyLevel.ONE);
          if (nowSeconds > 0) {
            parameters.nowInSeconds((int) nowSeconds);
          }
          Exchange exchange = plants.exchange(new SimExchange(answered));
          try {
            node.handlers()
                .get(shardIndex)
                .handle(session, new Request.Query(cql, parameters), exchange);
          } catch (io.helenus.server.error.CqlException e) {
            exchange.respondError(e.error());
          } catch (Throwable e) {
            // as a connection does
            assert fatal.contain(e) != null;
            exchange.respondError(new CqlError.ServerError(e.toString()));
          }
        });
  }

  void flush() {
    var future = node.flushAll();
    assert future != null;
  }

  void compact() {
    var future = node.compactAll();
    assert future != null;
  }

  /** Stops in order. */
  void stop() {
    await(node.stop());
    world.runReady();
    world.forgetTasks();
    node.close();
  }

  private void await(CompletableFuture<Void> future) {
    world.runUntil(future::isDone);
    future.join();
  }
}
