package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.helenus.server.client.Response;
import io.helenus.server.query.statement.DefinitionLog;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Definitions and TRUNCATE leave a line in the log that says who did what. */
class DefinitionLogTest {
  private final SimWorld world = new SimWorld(4);
  private final SimNode node =
      new SimNode(
          world,
          new SimFileSystem(new SimRandomness(4)),
          2,
          SyncMode.BATCH,
          new SimNode.Hooks() {
            @Override
            public FatalErrors fatal() {
              return cause -> {
                throw new AssertionError(cause);
              };
            }
          });

  private void ask(String cql) {
    List<Response> answers = new ArrayList<>();
    Runnable ignored = node.query(0, SimNode.Query.of(cql), answers::add);
    world.runUntil(() -> !answers.isEmpty());
  }

  @Test
  void whatWasDoneIsLoggedWithTheClient() {
    ListAppender<ILoggingEvent> reported = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(DefinitionLog.class);
    Level before = log.getLevel();
    reported.start();
    log.addAppender(reported);
    log.setLevel(Level.INFO);
    try {
      ask("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
      ask("CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'SimpleStrategy'}");
      ask("CREATE TABLE ks.t (k int PRIMARY KEY, \"V\" int)");
      ask("CREATE TABLE ks.t (k int PRIMARY KEY)");
      ask("CREATE INDEX ON ks.t (\"V\")");
      ask("CREATE TYPE ks.\"T t\" (a int)");
      ask("INSERT INTO ks.t (k) VALUES (1)");
      ask("TRUNCATE ks.t");
      ask("TRUNCATE ks.absent");
      ask("DROP TABLE ks.t");
      ask("DROP KEYSPACE ks");
    } finally {
      log.detachAppender(reported);
      log.setLevel(before);
    }
    String who = ", by anonymous from 127.0.0.1:1";
    assertEquals(
        List.of(
            "CREATE KEYSPACE: CREATED KEYSPACE ks" + who,
            "CREATE TABLE: CREATED TABLE ks.t" + who,
            "CREATE INDEX: UPDATED TABLE ks.t" + who,
            "CREATE TYPE: CREATED TYPE ks.\"T t\"" + who,
            "TRUNCATE: TRUNCATED TABLE ks.t" + who,
            "DROP TABLE: DROPPED TABLE ks.t" + who,
            "DROP KEYSPACE: DROPPED KEYSPACE ks" + who),
        reported.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    assertEquals(Level.INFO, reported.list.getFirst().getLevel());
  }
}
