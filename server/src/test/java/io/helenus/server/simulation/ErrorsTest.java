package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.Response;
import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Exchange;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors ({@link Error}) in the middle of requests, and the responses to their clients. */
class ErrorsTest {
  private static final int SHARDS = 2;
  private static final int KEYS = 8;

  private final SimWorld world = new SimWorld(3);
  private final SimFileSystem files = new SimFileSystem(new SimRandomness(3));
  private final Faults faults = new Faults();
  private SimNode node = open();

  /** Records halts; response bodies fail on demand. */
  private static final class Faults implements SimNode.Hooks {
    private final List<Throwable> halts = new ArrayList<>();
    private @Nullable Error inEncoding;

    @Override
    public FatalErrors fatal() {
      return halts::add;
    }

    @Override
    public Exchange exchange(Exchange exchange) {
      return new Failing(exchange, this);
    }
  }

  /** An exchange whose body fails once. */
  private record Failing(Exchange inner, Faults faults) implements Exchange {
    @Override
    public ByteWriter body() {
      Error error = faults.inEncoding;
      faults.inEncoding = null;
      if (error != null) {
        throw error;
      }
      return inner.body();
    }

    @Override
    public int protocolVersion() {
      return inner.protocolVersion();
    }

    @Override
    public int streamId() {
      return inner.streamId();
    }

    @Override
    public boolean tracingRequested() {
      return inner.tracingRequested();
    }

    @Override
    public void respond(int opcode, ByteWriter body) {
      inner.respond(opcode, body);
    }

    @Override
    public void respondError(CqlError error) {
      inner.respondError(error);
    }

    @Override
    public void warn(String text) {
      inner.warn(text);
    }

    @Override
    public void tracingId(long mostSignificantBits, long leastSignificantBits) {
      inner.tracingId(mostSignificantBits, leastSignificantBits);
    }

    @Override
    public void onDisconnect(Runnable callback) {
      inner.onDisconnect(callback);
    }

    @Override
    public void holdEvents() {
      inner.holdEvents();
    }
  }

  private SimNode open() {
    return new SimNode(world, files, SHARDS, SyncMode.BATCH, faults);
  }

  private Response ask(String cql) {
    List<Response> answers = new ArrayList<>();
    Runnable ignored = node.query(0, SimNode.Query.of(cql), answers::add);
    world.runUntil(() -> !answers.isEmpty());
    return answers.getFirst();
  }

  private void expectRows(String cql, int rows) {
    Response answer = ask(cql);
    assertEquals(rows, assertInstanceOf(Response.Rows.class, answer, "" + answer).rows().size());
  }

  private static void assertServerError(Error thrown, Response answer) {
    Response.Failure failure = assertInstanceOf(Response.Failure.class, answer, "" + answer);
    assertEquals(0, failure.code(), failure.message());
    assertTrue(failure.message().contains(thrown.toString()), failure.message());
  }

  @BeforeEach
  void fill() {
    ask("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
    ask("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
    for (int k = 0; k < KEYS; k++) {
      ask("INSERT INTO ks.t (k, v) VALUES (" + k + ", 1)");
    }
  }

  @Test
  void anErrorInEncodingFailsOnlyItsRequest() {
    // keys of this shard and of the other one; a scan; a write; a schema change
    List<String> statements = new ArrayList<>();
    for (int k = 0; k < KEYS; k++) {
      statements.add("SELECT * FROM ks.t WHERE k = " + k);
      statements.add("UPDATE ks.t SET v = 2 WHERE k = " + k);
    }
    statements.add("SELECT * FROM ks.t");
    statements.add("SELECT count(*) FROM ks.t");
    statements.add("SELECT * FROM system.local");
    statements.add("CREATE TABLE IF NOT EXISTS ks.t (k int PRIMARY KEY)");
    statements.add("TRUNCATE ks.t");
    for (String cql : statements) {
      for (Error error :
          List.of(new StackOverflowError(), new OutOfMemoryError("no direct memory left"))) {
        faults.inEncoding = error;
        assertServerError(error, ask(cql));
        assertEquals(List.of(), faults.halts, cql);
        Response again = ask(cql);
        assertTrue(!(again instanceof Response.Failure), cql + ": " + again);
      }
    }
  }

  @Test
  void anErrorInReadingFailsOnlyItsRequest() {
    node.flush();
    world.runFor(1_000_000_000L);
    world.forgetTasks();
    files.killProcess();
    node = open();
    Error error = new AssertionError("broken");
    files.faults(
        (operation, path) -> {
          if (operation == Operation.READ && path.startsWith("sstables/")) {
            throw error;
          }
        });
    for (int k = 0; k < KEYS; k++) {
      Response.Failure failure =
          assertInstanceOf(Response.Failure.class, ask("SELECT * FROM ks.t WHERE k = " + k));
      assertTrue(failure.message().contains("broken"), failure.message());
    }
    assertEquals(List.of(), faults.halts);
    files.faults((operation, path) -> {});
    for (int k = 0; k < KEYS; k++) {
      expectRows("SELECT * FROM ks.t WHERE k = " + k, 1);
    }
  }

  @Test
  void anErrorInTheMetadataLogHalts() {
    Error error = new LinkageError("broken");
    files.faults(
        (operation, path) -> {
          if (operation == Operation.WRITE && path.startsWith("metadata/")) {
            throw error;
          }
        });
    List<Response> answers = new ArrayList<>();
    Runnable ignored =
        node.query(0, SimNode.Query.of("CREATE TABLE ks.u (k int PRIMARY KEY)"), answers::add);
    Throwable thrown = null;
    try {
      world.runReady();
    } catch (LinkageError e) {
      thrown = e;
    }
    assertNotNull(thrown);
    assertEquals(List.of(error), faults.halts);
    assertEquals(List.of(), answers);
  }
}
