package io.helenus.server.query.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.QueryFixture;
import io.helenus.server.query.StatementPlanner;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.LiteralValues;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatementCacheTest {
  private static final int PLANS_LIMIT = 1024;

  private final QueryFixture cql = new QueryFixture();
  private final LiteralValues constants = new LiteralValues();
  private final StatementCache cache =
      new StatementCache(false, new StatementPlanner(Guardrails.NONE));

  @BeforeEach
  void define() {
    for (String keyspace : new String[] {"a", "b"}) {
      cql.run(
          "CREATE KEYSPACE "
              + keyspace
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      cql.run("CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY, v text)");
    }
  }

  private StatementPlan get(String text) {
    return get(text, "a");
  }

  private StatementPlan get(String text, @Nullable String keyspace) {
    return cache.get(text, keyspace, cql.schema(), constants);
  }

  private int constants() {
    return constants.values().count();
  }

  private int integer(int index) {
    return Bytes.getInt(constants.values().segment(), constants.values().offset(index));
  }

  @Test
  void aShapeIsPlannedWhenItIsSeenForTheSecondTime() {
    StatementPlan first = get("SELECT v FROM t WHERE k = 1");
    assertEquals(0, cache.count());
    StatementPlan second = get("SELECT v FROM t WHERE k = 2");
    assertEquals(0, constants());
    assertEquals(1, cache.count());
    assertNotSame(first, second);
    StatementPlan third = get("SELECT v FROM t WHERE k = 3");
    assertEquals(1, constants());
    assertEquals(3, integer(0));
    assertSame(third, get("SELECT v FROM t WHERE k = -40"));
    assertEquals(-40, integer(0));
    assertNotSame(third, get("SELECT v FROM t WHERE k =  3"));
    assertEquals(0, constants());
  }

  @Test
  void theKeyspaceInUseBelongsToTheShape() {
    get("SELECT v FROM t WHERE k = 1", "a");
    get("SELECT v FROM t WHERE k = 1", "a");
    StatementPlan ofA = get("SELECT v FROM t WHERE k = 1", "a");
    assertEquals(1, constants());
    assertNotSame(ofA, get("SELECT v FROM t WHERE k = 1", "b"));
    assertEquals(0, constants());
  }

  @Test
  void statementsWithoutConstantsAreKeptToo() {
    for (String text : new String[] {"SELECT * FROM t", "SELECT * FROM t WHERE k = ?"}) {
      get(text);
      StatementPlan second = get(text);
      assertSame(second, get(text));
      assertEquals(0, constants());
    }
  }

  @Test
  void aStatementWhoseConstantsCannotBeValuesIsKeptByItsText() {
    String text = "SELECT v FROM t WHERE k = (int)1";
    StatementPlan kept = null;
    for (int i = 0; i < 4; i++) {
      kept = get(text);
    }
    assertSame(kept, get(text));
    assertEquals(0, constants());
    assertNotSame(kept, get("SELECT v FROM t WHERE k = (int)2"));
  }

  @Test
  void aConstantThatIsNotAValueOfItsTypeIsLeftToThePlanner() {
    for (int i = 0; i < 3; i++) {
      get("SELECT v FROM t WHERE k = 1");
    }
    assertEquals(1, constants());
    assertEquals(
        "Unable to make int from '3000000000'",
        assertThrows(CqlException.class, () -> get("SELECT v FROM t WHERE k = 3000000000"))
            .getMessage());
    assertEquals(0, constants());
  }

  @Test
  void aSchemaChangeMakesPlansInvalid() {
    for (int i = 0; i < 3; i++) {
      get("SELECT v FROM t WHERE k = 1");
    }
    cql.run("CREATE TABLE a.other (k int PRIMARY KEY)");
    get("SELECT v FROM t WHERE k = 1");
    assertEquals(0, constants());
    get("SELECT v FROM t WHERE k = 1");
    assertEquals(1, constants());
    assertEquals(1, cache.count());
  }

  @Test
  void theSizeOfAllPlansIsLimited() {
    for (int i = 0; i < 3000; i++) {
      for (int sight = 0; sight < 2; sight++) {
        get("SELECT v AS name" + i + " FROM t WHERE k = 1");
      }
    }
    assertTrue(cache.count() <= PLANS_LIMIT, cache.count() + " plans");
    assertTrue(cache.count() > PLANS_LIMIT / 2, cache.count() + " plans");
    int before = cache.count();
    String longText = "SELECT v FROM t WHERE k = ?" + " ".repeat(3000);
    assertNotSame(get(longText), get(longText));
    assertEquals(before, cache.count());
  }
}
