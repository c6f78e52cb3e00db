package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.error.CqlError;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.Members;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.NodeIdentity;
import io.helenus.server.metadata.TestTables;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;

/** A node's metadata, changed by CQL statements, without storage. */
public final class SystemFixture {
  private final SimWorld world = new SimWorld(1);
  private final FatalErrors halts =
      cause -> {
        throw new AssertionError("the node halted", cause);
      };
  private final Shard shard = new Shard(0, world.scheduler("shard"), world.clock(), halts);
  private final LocalMetadataLog log;
  private final Metadata metadata;

  /** A node with four tokens. */
  public SystemFixture() {
    this(new NodeIdentity("Test", "dc", "r", 4, List.of(), null, ""));
  }

  /** A node with this identity. */
  public SystemFixture(NodeIdentity identity) {
    log =
        LocalMetadataLog.open(
            new SimFileSystem(new SimRandomness(1)),
            SystemKeyspaces.all(),
            identity,
            world.randomness(),
            Runnable::run,
            world.scheduler("log"));
    metadata =
        new Metadata(
            log,
            log.node().hostId(),
            1,
            TestTables.NONE,
            world.clock(),
            world.randomness(),
            world.scheduler("changes"),
            halts,
            null,
            new ViewWhereCompiler(new FunctionContext(world.clock(), world.randomness())),
            Guardrails.NONE);
  }

  /** Lets another node join. */
  public void join(ClusterNode node) {
    Members.join(log, node);
    world.runUntil(() -> metadata.state().node(node.hostId()) != null);
  }

  /** The metadata. */
  public Metadata metadata() {
    return metadata;
  }

  /** The shard that changes the metadata. */
  public Shard shard() {
    return shard;
  }

  /** Runs a definition statement. */
  public void change(String text) {
    List<String> answers = new ArrayList<>();
    metadata.change(
        (SchemaStatement) CqlParser.parse(text),
        null,
        Runnable::run,
        new Metadata.ChangeCallback() {
          @Override
          public void changed(SchemaChange change) {
            answers.add("");
          }

          @Override
          public void refused(CqlError error) {
            answers.add(error.message());
          }
        });
    world.runUntil(() -> !answers.isEmpty());
    assertEquals("", answers.getFirst());
  }
}
