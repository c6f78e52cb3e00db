package io.helenus.server.metadata;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.error.CqlError;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.ColumnMaskCompiler;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node's metadata over a simulated disk; definitions are given as CQL. */
final class MetadataFixture {
  static final NodeIdentity IDENTITY =
      new NodeIdentity("Test", "datacenter1", "rack1", 16, List.of(), null, "");

  final SimWorld world;
  final SimFileSystem files;

  /** The events in order: {@code storage 101}, {@code visible CREATED ks.t}, … */
  final List<Throwable> halts = new ArrayList<>();

  final List<String> events = new ArrayList<>();

  private long life;

  @Nullable LocalMetadataLog log;
  @Nullable Metadata metadata;

  /** What storage has truncated, durably. */
  final Map<Integer, Long> truncated = new TreeMap<>();

  /** Whether storage truncates at all. */
  boolean truncates = true;

  /** If set, thrown whenever a change is planned. */
  @Nullable Error planningError;

  MetadataFixture(long seed) {
    world = new SimWorld(seed);
    files = new SimFileSystem(new SimRandomness(seed));
  }

  MetadataFixture open() {
    return open(IDENTITY);
  }

  MetadataFixture open(NodeIdentity identity) {
    LocalMetadataLog opened =
        LocalMetadataLog.open(
            files,
            SystemKeyspaces.all(),
            identity,
            world.randomness(),
            world.pool("io"),
            world.scheduler("metadata"));
    log = opened;
    Metadata made =
        new Metadata(
            opened,
            opened.node().hostId(),
            ++life,
            new RecordedTables(),
            new PlanningClock(),
            world.randomness(),
            world.scheduler("changes"),
            halts::add,
            new ColumnMaskCompiler(new FunctionContext(new PlanningClock(), world.randomness())),
            new ViewWhereCompiler(new FunctionContext(new PlanningClock(), world.randomness())),
            Guardrails.NONE);
    made.listen(
        (before, after, changes) -> {
          for (SchemaChange change : changes) {
            events.add("visible " + describe(change));
          }
        });
    metadata = made;
    world.runReady();
    return this;
  }

  /** Writes a new file of the metadata log. */
  void write(String path, byte[] bytes) throws IOException {
    files.createFolders(LocalMetadataLog.FOLDER);
    try (FileSystem.File file = files.create(path)) {
      ByteWriter writer = new ByteWriter(bytes.length).putBytes(bytes);
      file.write(0, writer.segment(), 0, bytes.length);
      file.sync();
    }
    files.syncFolder(LocalMetadataLog.FOLDER);
  }

  /** Kills the process; written data survives. */
  void kill() {
    world.forgetTasks();
    files.killProcess();
  }

  /** Simulates a power loss. */
  void losePower() {
    world.forgetTasks();
    files.losePower();
  }

  /** The clock used for planning. */
  private final class PlanningClock implements Clock {
    @Override
    public long wallMicros() {
      Error error = planningError;
      if (error != null) {
        throw error;
      }
      return world.clock().wallMicros();
    }

    @Override
    public long nanos() {
      return world.clock().nanos();
    }
  }

  /** Says what storage is told. */
  private final class RecordedTables implements Metadata.StoredTables {
    @Override
    public void changed(Tables tables, Consumer<? super Exception> whenDone) {
      StringBuilder ids = new StringBuilder("storage");
      tables.live().stream()
          .mapToInt(table -> table.id())
          .filter(id -> id > ClusterState.LAST_SYSTEM_TABLE_ID)
          .sorted()
          .forEach(id -> ids.append(' ').append(id));
      events.add(ids.toString());
      whenDone.accept(null);
    }

    @Override
    public void truncate(List<Integer> tableIds, long index, Runnable whenDone) {
      events.add("storage truncates " + tableIds);
      if (truncates) {
        tableIds.forEach(tableId -> truncated.put(tableId, index));
        whenDone.run();
      }
    }

    @Override
    public long truncatedBy(int tableId) {
      return truncated.getOrDefault(tableId, 0L);
    }
  }

  static String describe(SchemaChange change) {
    String table = change.table() == null ? "" : "." + change.table();
    return change.action() + " " + change.keyspace() + table;
  }

  ClusterState state() {
    return metadata().state();
  }

  Metadata metadata() {
    Metadata opened = metadata;
    if (opened == null) {
      throw new AssertionError("not open");
    }
    return opened;
  }

  LocalMetadataLog log() {
    LocalMetadataLog opened = log;
    if (opened == null) {
      throw new AssertionError("not open");
    }
    return opened;
  }

  /** Starts a change; its result is added to the list once available. */
  void begin(String text, List<String> answers) {
    SchemaStatement statement = (SchemaStatement) CqlParser.parse(text, true, ignored -> {});
    metadata()
        .change(
            statement,
            "ks",
            Runnable::run,
            new Metadata.ChangeCallback() {
              @Override
              public void changed(SchemaChange change) {
                answers.add(change.edit() == null ? "nothing to do" : describe(change));
              }

              @Override
              public void refused(CqlError error) {
                answers.add(error.message());
              }
            });
  }

  /** Performs a change and returns its result. */
  String change(String text) {
    List<String> answers = new ArrayList<>();
    begin(text, answers);
    world.runUntil(() -> !answers.isEmpty());
    return answers.getFirst();
  }

  /** Proposes an entry for the next slot, past {@link Metadata}. */
  Decision propose(UUID proposer, long number, MetadataEntry entry) {
    long slot = log().state().index() + 1;
    return propose(new Proposal(new ProposalId(proposer, 9, number), slot, entry));
  }

  /** Proposes an entry, past {@link Metadata}. */
  Decision propose(Proposal proposal) {
    List<Decision> decisions = new ArrayList<>();
    log()
        .propose(
            proposal,
            new MetadataLog.ProposalCallback() {
              @Override
              public void decided(Decision decision) {
                decisions.add(decision);
              }

              @Override
              public void notProposed(Exception cause) {
                throw new AssertionError(cause);
              }

              @Override
              public void unknown(Exception cause) {
                throw new AssertionError(cause);
              }
            });
    world.runUntil(() -> !decisions.isEmpty());
    return decisions.getFirst();
  }

  /** Creates a keyspace. */
  MetadataFixture withKeyspace() {
    String answer = change("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
    if (!answer.equals("CREATED ks")) {
      throw new AssertionError(answer);
    }
    return this;
  }
}
