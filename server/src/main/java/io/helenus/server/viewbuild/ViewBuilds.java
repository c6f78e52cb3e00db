package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the materialized views of this node that are not built, in the background, all shards at
 * once, and notes how far it is, so that it goes on after a restart. On the first shard's thread.
 */
public final class ViewBuilds {
  private static final Logger LOG = LoggerFactory.getLogger(ViewBuilds.class);

  /** How often the progress of a build is noted. */
  private static final long NOTE_NANOS = 1_000_000_000;

  private final List<Shard> shards;
  private final Shard first;
  private final LocalReplica replica;
  private final Supplier<Schema> schema;
  private final UUID hostId;
  private final Clock clock;
  private final Map<UUID, ViewBuildLog.Note> notes = new HashMap<>();
  private final Map<UUID, Build> builds = new HashMap<>();
  private final AtomicReference<List<Progress>> progress;
  private boolean loaded;
  private volatile boolean stopped;
  private long lastTimestamp;

  /**
   * How far the build of a view is.
   *
   * @param done whether it is built
   * @param partitions how many partitions of the base table have been built since the start
   * @param token up to where all shards have built it
   */
  public record Progress(String keyspace, String view, boolean done, long partitions, long token) {}

  /**
   * Creates the builds of a node.
   *
   * @param schema the present schema; any thread
   * @param progress where it shows how far each build is, by keyspace and view
   */
  public ViewBuilds(
      List<Shard> shards,
      LocalReplica replica,
      Supplier<Schema> schema,
      UUID hostId,
      Clock clock,
      AtomicReference<List<Progress>> progress) {
    this.shards = List.copyOf(shards);
    this.first = shards.getFirst();
    this.replica = replica;
    this.schema = schema;
    this.hostId = hostId;
    this.clock = clock;
    this.progress = progress;
  }

  /** Continues the builds of the previous run. */
  public void start() {
    readAll(
        ViewBuildLog.TABLE_ID,
        Notes::new,
        found -> notes.putAll(found.notes),
        () -> {
          loaded = true;
          schemaChanged();
          removeStatuses();
        });
  }

  /** Removes the statuses of views that were dropped shortly before a crash. */
  private void removeStatuses() {
    TableSchema table = schema.get().table("system_distributed", "view_build_status");
    if (table == null) {
      return;
    }
    readAll(
        table.storageId(),
        ViewBuildStatus.Views::new,
        found -> {
          for (ViewBuildStatus.View each : found.views()) {
            if (schema.get().table(each.keyspace(), each.name()) == null) {
              show(each.keyspace(), each.name(), null);
            }
          }
        },
        () -> {});
  }

  /** Reads a table of all shards, each with a sink of its own. */
  private <S extends RowSink> void readAll(
      int tableId, Supplier<S> sinks, Consumer<S> whenRead, Runnable whenAllRead) {
    int[] left = {shards.size()};
    for (ShardReplica part : replica.parts()) {
      ByteWriter open = new ByteWriter(1);
      ReadRequest request = new ReadRequest().reset(tableId, clock.wallSeconds());
      request.partitions(open.segment(), 0, 0, open.segment(), 0, 0);
      S sink = sinks.get();
      part.read(
          first,
          request,
          sink,
          new ReplicaAccess.ReadReply() {
            @Override
            public void read(boolean stoppedEarly, int rows, int tombstones, long nanos) {
              whenRead.accept(sink);
              if (--left[0] == 0) {
                whenAllRead.run();
              }
            }

            @Override
            public void notRead(Exception cause) {
              LOG.error(
                  "Cannot read which materialized views are built; builds go on after a restart",
                  cause);
            }
          });
    }
  }

  /** Begins no further step. */
  public void stop() {
    stopped = true;
  }

  /** Starts the builds of new views, and forgets views that were dropped. */
  public void schemaChanged() {
    if (!loaded || stopped) {
      return;
    }
    Set<UUID> existing = new HashSet<>();
    for (KeyspaceSchema keyspace : schema.get().keyspaces()) {
      for (TableSchema table : keyspace.isVirtual() ? List.<TableSchema>of() : keyspace.tables()) {
        if (table.view() != null) {
          existing.add(table.id());
          TableSchema base = keyspace.table(table.view().baseTable());
          if (base != null && !builds.containsKey(table.id())) {
            Build build = new Build(table, base, notes.get(table.id()));
            builds.put(table.id(), build);
            build.start();
          }
        }
      }
    }
    for (UUID gone : List.copyOf(builds.keySet())) {
      if (!existing.contains(gone)) {
        Build dropped = builds.remove(gone);
        if (dropped != null) {
          dropped.show(null);
        }
      }
    }
    for (UUID gone : List.copyOf(notes.keySet())) {
      if (!existing.contains(gone)) {
        notes.remove(gone);
        write(ViewBuildLog.removing(gone, clock.wallMicros()), null);
      }
    }
    publish();
  }

  /** Shows a status in system_distributed.view_build_status; null removes it. */
  private void show(String keyspace, String view, @Nullable String status) {
    TableSchema table = schema.get().table("system_distributed", "view_build_status");
    if (table != null) {
      ByteWriter mutation =
          ViewBuildStatus.showing(table, keyspace, view, hostId, status, nextTimestamp());
      write(mutation, null);
    }
  }

  private void publish() {
    List<Progress> all = new ArrayList<>();
    for (Build build : builds.values()) {
      all.add(build.progress());
    }
    all.sort(Comparator.comparing(Progress::keyspace).thenComparing(Progress::view));
    progress.set(List.copyOf(all));
  }

  private long nextTimestamp() {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.wallMicros());
    return lastTimestamp;
  }

  private void write(ByteWriter mutation, @Nullable Runnable whenDurable) {
    replica.write(
        first,
        new MutationView().wrap(mutation.segment(), 0, mutation.size()).token(),
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            if (whenDurable != null) {
              whenDurable.run();
            }
          }

          @Override
          public void notWritten(Exception cause) {
            LOG.warn(
                "Could not note the progress of the build of a materialized view: {}",
                String.valueOf(cause.getMessage()));
            if (whenDurable != null && !stopped) {
              // without the note it would be built again after a restart, which is right but slow
              whenDurable.run();
            }
          }
        });
  }

  private static final class Notes implements RowSink {
    private final Map<UUID, ViewBuildLog.Note> notes = new HashMap<>();
    private UUID view = new UUID(0, 0);

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      view = ViewBuildLog.view(prefix, offset);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      notes.put(view, ViewBuildLog.note(row));
      return Next.CONTINUE;
    }
  }

  /** The build of one view; on the first shard's thread. */
  private final class Build {
    private final TableSchema view;
    private final TableSchema base;
    private final long[] tokens;
    private boolean done;
    private int shardsLeft;
    private long partitions;
    private long notedNanos;

    Build(TableSchema view, TableSchema base, ViewBuildLog.@Nullable Note note) {
      this.view = view;
      this.base = base;
      done = note != null && note.done();
      tokens =
          note != null && note.tokens().length == shards.size()
              ? note.tokens().clone()
              : ViewBuildLog.Note.none(shards.size()).tokens();
    }

    Progress progress() {
      long token = Long.MAX_VALUE;
      for (long each : tokens) {
        token = Math.min(token, each);
      }
      return new Progress(view.keyspace(), view.name(), done, partitions, token);
    }

    void start() {
      if (done) {
        return;
      }
      show("STARTED");
      shardsLeft = shards.size();
      notedNanos = first.nanos();
      for (int i = 0; i < shards.size(); i++) {
        Shard shard = shards.get(i);
        ShardBuild build =
            new ShardBuild(
                replica,
                replica.parts().get(i),
                clock,
                base.storageId(),
                view.storageId(),
                tokens[i],
                new OnShard(i));
        first.send(shard, build::next);
      }
    }

    private boolean exists() {
      return !stopped && schema.get().table(view.storageId()) != null;
    }

    private final class OnShard implements ShardBuild.Listener {
      private final int index;

      OnShard(int index) {
        this.index = index;
      }

      @Override
      public boolean goesOn() {
        return exists();
      }

      @Override
      public void advanced(long token, int count) {
        shards.get(index).send(first, () -> Build.this.advanced(index, token, count));
      }

      @Override
      public void ended() {
        shards.get(index).send(first, Build.this::shardEnded);
      }
    }

    private void advanced(int shard, long token, int count) {
      // the next partition may have the same token
      tokens[shard] = token - 1;
      partitions += count;
      publish();
      if (exists() && first.nanos() - notedNanos > NOTE_NANOS) {
        notedNanos = first.nanos();
        note(null);
      }
    }

    private void shardEnded() {
      if (--shardsLeft == 0 && exists()) {
        done = true;
        show("SUCCESS");
        note(ViewBuilds.this::publish);
      }
    }

    private void show(@Nullable String status) {
      ViewBuilds.this.show(view.keyspace(), view.name(), status);
    }

    private void note(@Nullable Runnable whenDurable) {
      ViewBuildLog.Note note = new ViewBuildLog.Note(done, tokens.clone());
      notes.put(view.id(), note);
      write(ViewBuildLog.noting(view.id(), note, nextTimestamp()), whenDurable);
    }
  }
}
