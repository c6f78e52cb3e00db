package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Cases that the recorded scripts do not cover: ids, what depends on the configuration, and what
 * Cassandra answers with a server error. The texts are those of Apache Cassandra 5.0.9.
 */
class IndexChangesTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @BeforeEach
  void createTable() {
    fixture.change(
        "CREATE TABLE t (k int PRIMARY KEY, v int, w text, x int, y int, f vector<float, 3>)");
  }

  private List<Integer> ids() {
    return fixture.table("t").descriptor().indexes().stream().map(IndexDescriptor::id).toList();
  }

  @Test
  void idsAreNotReused() {
    fixture.change("CREATE INDEX ON t (v)");
    fixture.change("CREATE INDEX ON t (w)");
    assertEquals(List.of(1, 2), ids());
    fixture.change("DROP INDEX t_w_idx");
    assertEquals(List.of(1), ids());
    fixture.change("CREATE INDEX ON t (w)");
    assertEquals(List.of(1, 3), ids());
    fixture.change("DROP INDEX t_v_idx");
    fixture.change("DROP INDEX t_w_idx");
    fixture.change("ALTER TABLE t ADD z int");
    assertEquals(3, fixture.table("t").lastIndexId());
    assertEquals(List.of(), ids());
  }

  @Test
  void everyChangeIsOneOfTheTable() {
    SchemaChange created = fixture.change("CREATE INDEX i ON t (v)");
    assertEquals(SchemaChange.Action.UPDATED, created.action());
    assertEquals("t", created.table());
    assertEquals("t", fixture.change("DROP INDEX i").table());
    assertEquals("nothing to do", fixture.refusal("DROP INDEX IF EXISTS i"));
  }

  /** The recorded scripts come from a Cassandra that allows them. */
  @Test
  void sasiIndexesAreDisabled() {
    String sasi = " USING 'org.apache.cassandra.index.sasi.SASIIndex'";
    String refusal = "2200 SASI indexes are disabled. Enable in cassandra.yaml to use.";
    assertEquals(refusal, fixture.refusal("CREATE CUSTOM INDEX ON t (v)" + sasi));
    assertEquals(refusal, fixture.refusal("CREATE INDEX IF NOT EXISTS i ON t (nope)" + sasi));
    assertEquals(refusal, fixture.refusal("CREATE INDEX ON nope.t (v)" + sasi));
    assertEquals(
        "2200 Cannot specify target as a CUSTOM option",
        fixture.refusal("CREATE INDEX ON t (v)" + sasi + " WITH options = {'target': 'v'}"));
  }

  /** Cassandra answers with a server error and cannot change the table any more. */
  @Test
  void longNamesAndClassesOfCassandraAreRefused() {
    String longest = "a".repeat(222);
    assertEquals("done", fixture.refusal("CREATE INDEX " + longest + " ON t (v)"));
    assertEquals(
        "2300 Index name must not be more than 222 characters long (got 223 characters for \"a"
            + longest
            + "\")",
        fixture.refusal("CREATE INDEX a" + longest + " ON t (w)"));
    assertEquals(
        "2300 Index name must not be more than 222 characters long (got 224 characters for \""
            + longest
            + "_1\")",
        fixture.refusal("CREATE TABLE u LIKE t WITH INDEXES"));
    String name = "org.apache.cassandra.index.internal.CassandraIndex";
    assertEquals(
        "2300 Unable to find custom indexer class '" + name + "'",
        fixture.refusal("CREATE INDEX ON t (w) USING '" + name + "'"));
  }

  @Test
  void optionsOfVectorsReachStorage() {
    fixture.change("CREATE INDEX ON t (f) USING 'sai'");
    assertEquals(new VectorOptions(3, Similarity.COSINE, 16, 100), vectorOptions());
    fixture.change("DROP INDEX t_f_idx");
    fixture.change(
        "CREATE INDEX ON t (f) USING 'sai' WITH OPTIONS = {'similarity_function': 'dot_product',"
            + " 'maximum_node_connections': '8', 'construction_beam_width': '50'}");
    assertEquals(new VectorOptions(3, Similarity.DOT_PRODUCT, 8, 50), vectorOptions());
  }

  private @Nullable VectorOptions vectorOptions() {
    return fixture.table("t").descriptor().indexes().getFirst().vectors();
  }

  @Test
  void storageHasNoIndexOfVectorsThatAreNotInRows() {
    fixture.change(
        "CREATE TABLE p (k int, c vector<float, 2>, s vector<float, 2> static, l"
            + " list<frozen<vector<float, 2>>>, PRIMARY KEY (k, c))");
    fixture.change("CREATE INDEX ON p (c) USING 'sai'");
    fixture.change("CREATE INDEX ON p (s) USING 'sai'");
    fixture.change("CREATE INDEX ON p (l) USING 'sai'");
    assertEquals(3, fixture.table("p").indexes().size());
    assertEquals(List.of(), fixture.table("p").descriptor().indexes());
  }

  @Test
  void aDefaultClassIsUsedWithoutUsing() {
    fixture.with(new Guardrails.Builder().defaultSecondaryIndex("sai"));
    fixture.change("CREATE INDEX ON t (v)");
    fixture.change("CREATE CUSTOM INDEX ON t (x) WITH options = {}");
    fixture.change("CREATE INDEX ON t (w) WITH options = {'ascii': 'true'}");
    fixture.change("CREATE INDEX ON t (y) USING 'legacy_local_table'");
    assertEquals(
        List.of("{class_name=sai}", "{ascii=true, class_name=sai}", "{class_name=sai}", "{}"),
        fixture.table("t").indexes().stream().map(each -> each.options().toString()).toList());
  }

  @Test
  void usingCanBeRequired() {
    fixture.with(new Guardrails.Builder().defaultSecondaryIndex(null));
    String required = "2200 Must specify index implementation via USING";
    assertEquals(required, fixture.refusal("CREATE INDEX ON t (v)"));
    assertEquals(required, fixture.refusal("CREATE CUSTOM INDEX ON t (v) WITH foo = 1"));
    assertEquals(required, fixture.refusal("CREATE INDEX ON system.local (key)"));
    assertEquals("done", fixture.refusal("CREATE INDEX ON t (v) USING 'legacy_local_table'"));
    assertEquals("done", fixture.refusal("CREATE INDEX ON t (v) USING 'sai'"));
  }

  @Test
  void indexesCanBeSwitchedOff() {
    fixture.with(new Guardrails.Builder().disable(Feature.SECONDARY_INDEXES));
    String off =
        "2200 Guardrail secondary_indexes violated: Creating secondary indexes is not allowed";
    assertEquals(off, fixture.refusal("CREATE INDEX ON t (v)"));
    assertEquals(off, fixture.refusal("CREATE INDEX IF NOT EXISTS ON nope.t (v) USING 'nope'"));
    assertEquals(
        "2000 Unknown property 'foo'", fixture.refusal("CREATE INDEX ON t (v) WITH foo = 1"));
    assertEquals("nothing to do", fixture.refusal("DROP INDEX IF EXISTS i"));
  }

  @Test
  void theirNumberIsLimited() {
    fixture.with(new Guardrails.Builder().limit(Limit.SECONDARY_INDEXES_PER_TABLE, 1, 2));
    fixture.change("CREATE INDEX ON t (v)");
    assertEquals(List.of(), fixture.warnings());
    fixture.change("CREATE INDEX second ON t (w)");
    assertEquals(
        List.of(
            "Guardrail secondary_indexes_per_table violated: Creating secondary index second on"
                + " table t, current number of indexes 2 exceeds warning threshold of 1."),
        fixture.warnings());
    assertEquals(
        "2200 Guardrail secondary_indexes_per_table violated: Tables cannot have more than 2"
            + " secondary indexes, aborting the creation of secondary index on table t",
        fixture.refusal("CREATE INDEX IF NOT EXISTS ON t (v)"));
    assertEquals("nothing to do", fixture.refusal("CREATE INDEX IF NOT EXISTS second ON t (x)"));
    assertEquals(
        "2200 Secondary indexes on counter tables aren't supported",
        counterTable("CREATE INDEX ON c (n)"));
  }

  private String counterTable(String statement) {
    fixture.change("CREATE TABLE c (k int PRIMARY KEY, n counter)");
    return fixture.refusal(statement);
  }
}
