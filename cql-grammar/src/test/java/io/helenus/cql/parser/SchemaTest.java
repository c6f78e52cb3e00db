package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.FunctionStatement;
import io.helenus.cql.ast.IndexStatement;
import io.helenus.cql.ast.KeyspaceStatement.CreateKeyspace;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Properties;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.SchemaStatement.ClusteringOrder;
import io.helenus.cql.ast.SchemaStatement.ColumnCheck;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.SchemaStatement.ColumnMask;
import io.helenus.cql.ast.SchemaStatement.Renaming;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.TableStatement.AlterTable;
import io.helenus.cql.ast.TableStatement.Alteration;
import io.helenus.cql.ast.TableStatement.CreateTable;
import io.helenus.cql.ast.TypeName;
import io.helenus.cql.ast.TypeStatement.CreateType;
import io.helenus.cql.ast.TypeStatement.FieldDefinition;
import io.helenus.cql.ast.ViewStatement.CreateView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
  private static final TypeName INT = new TypeName.Native(NativeType.INT);
  private static final TypeName TEXT = new TypeName.Native(NativeType.TEXT);

  private static ColumnDefinition column(String name, TypeName type) {
    return new ColumnDefinition(name, type, false, null);
  }

  private static Alteration alteration(String text) {
    return ((AlterTable) CqlParser.parse("ALTER TABLE t " + text)).alteration();
  }

  @Test
  void keyspacesHaveProperties() {
    CreateKeyspace create =
        (CreateKeyspace)
            CqlParser.parse(
                "CREATE KEYSPACE IF NOT EXISTS Ks WITH REPLICATION = {'class': 'SimpleStrategy',"
                    + " 'replication_factor': 1} AND durable_writes = false");
    assertEquals("ks", create.keyspace());
    assertTrue(create.ifNotExists());
    assertEquals(
        new Properties.Value.MapOf(Map.of("class", "SimpleStrategy", "replication_factor", "1")),
        create.properties().get("replication"));
    assertEquals(new Properties.Value.Simple("false"), create.properties().get("durable_writes"));
    assertNull(create.properties().get("other"));
  }

  @Test
  void tablesHaveColumnsKeysAndOrders() {
    CreateTable create =
        (CreateTable)
            CqlParser.parse(
                "CREATE TABLE ks.t (a int, \"B\" text, c int, s text STATIC, m int MASKED WITH"
                    + " DEFAULT, PRIMARY KEY ((a, \"B\"), c)) WITH CLUSTERING ORDER BY (c DESC)"
                    + " AND comment = 'x' AND COMPACT STORAGE");
    assertEquals(new QualifiedName("ks", "t"), create.table());
    assertEquals(
        List.of(
            column("a", INT),
            column("B", TEXT),
            column("c", INT),
            new ColumnDefinition("s", TEXT, true, null),
            new ColumnDefinition(
                "m",
                INT,
                false,
                new ColumnMask(new QualifiedName("system", "mask_default"), List.of()))),
        create.columns());
    assertEquals(List.of("a", "B"), create.partitionKey());
    assertEquals(List.of("c"), create.clusteringColumns());
    assertEquals(List.of(new ClusteringOrder("c", true)), create.clusteringOrder());
    assertTrue(create.compactStorage());
    assertEquals(new Properties.Value.Simple("x"), create.properties().get("comment"));
  }

  @Test
  void aColumnCanBeTheWholeKey() {
    CreateTable create = (CreateTable) CqlParser.parse("CREATE TABLE t (k int PRIMARY KEY, v int)");
    assertEquals(List.of("k"), create.partitionKey());
    assertEquals(List.of(), create.clusteringColumns());
    CreateTable keyless = (CreateTable) CqlParser.parse("CREATE TABLE t (k int)");
    assertEquals(List.of(), keyless.partitionKey());
  }

  @Test
  void types() {
    CreateType create =
        (CreateType)
            CqlParser.parse(
                "CREATE TYPE u (a list<int>, b map<text, frozen<ks.\"V\">>, c tuple<int, text>,"
                    + " d vector<float, 3>, e 'a.B', f frozen<set<int>>, g varchar)");
    assertEquals(
        List.of(
            new FieldDefinition("a", new TypeName.ListOf(INT)),
            new FieldDefinition(
                "b",
                new TypeName.MapOf(
                    TEXT,
                    new TypeName.Frozen(new TypeName.UserDefined(new QualifiedName("ks", "V"))))),
            new FieldDefinition("c", new TypeName.TupleOf(List.of(INT, TEXT))),
            new FieldDefinition(
                "d", new TypeName.VectorOf(new TypeName.Native(NativeType.FLOAT), 3)),
            new FieldDefinition("e", new TypeName.Custom("a.B")),
            new FieldDefinition("f", new TypeName.Frozen(new TypeName.SetOf(INT))),
            new FieldDefinition("g", new TypeName.Native(NativeType.VARCHAR))),
        create.fields());
    assertEquals("map<text, frozen<ks.V>>", create.fields().get(1).type().toString());
  }

  @Test
  void alterations() {
    assertEquals(
        new Alteration.Add(
            true, List.of(column("a", INT), new ColumnDefinition("b", TEXT, true, null))),
        alteration("ADD IF NOT EXISTS (a int, b text STATIC)"));
    assertEquals(
        new Alteration.Drop(false, List.of("a", "b"), 5L),
        alteration("DROP (a, b) USING TIMESTAMP 5"));
    assertEquals(new Alteration.Drop(true, List.of("a"), null), alteration("DROP IF EXISTS a"));
    assertEquals(
        new Alteration.Rename(false, List.of(new Renaming("a", "b"), new Renaming("c", "d"))),
        alteration("RENAME a TO b AND c TO d"));
    assertEquals(new Alteration.ChangeType("a", TEXT), alteration("ALTER a TYPE text"));
    assertEquals(new Alteration.Mask("a", false, null), alteration("ALTER a DROP MASKED"));
    assertEquals(new Alteration.DropCompactStorage(), alteration("DROP COMPACT STORAGE"));
    assertEquals(
        new Alteration.SetProperties(
            new Properties(Map.of("gc_grace_seconds", new Properties.Value.Simple("5")))),
        alteration("WITH gc_grace_seconds = 5"));
  }

  @Test
  void indexes() {
    assertEquals(
        new IndexStatement.CreateIndex(
            "i",
            new QualifiedName("ks", "t"),
            true,
            true,
            List.of(
                new IndexStatement.Target(IndexStatement.TargetKind.KEYS, "m"),
                new IndexStatement.Target(IndexStatement.TargetKind.SIMPLE, "V")),
            "StorageAttachedIndex",
            new Properties(Map.of("options", new Properties.Value.MapOf(Map.of("a", "1"))))),
        CqlParser.parse(
            "CREATE CUSTOM INDEX IF NOT EXISTS I ON ks.t (KEYS(m), \"V\")"
                + " USING 'StorageAttachedIndex' WITH OPTIONS = {'a': 1}"));
  }

  @Test
  void views() {
    CreateView create =
        (CreateView)
            CqlParser.parse(
                "CREATE MATERIALIZED VIEW v AS SELECT * FROM ks.t WHERE a IS NOT NULL"
                    + " PRIMARY KEY ((a, b), c) WITH CLUSTERING ORDER BY (c ASC)");
    assertEquals(QualifiedName.of("v"), create.view());
    assertEquals(new QualifiedName("ks", "t"), create.baseTable());
    assertEquals(List.of(), create.selectors());
    assertEquals(List.of("a", "b"), create.partitionKey());
    assertEquals(List.of(new ClusteringOrder("c", false)), create.clusteringOrder());
  }

  @Test
  void functionsAndAggregates() {
    assertEquals(
        new FunctionStatement.CreateFunction(
            new QualifiedName("ks", "f"),
            true,
            false,
            List.of(new FunctionStatement.Argument("a", INT)),
            true,
            TEXT,
            "java",
            "return \"x\";"),
        CqlParser.parse(
            "CREATE OR REPLACE FUNCTION ks.F (A int) CALLED ON NULL INPUT RETURNS text LANGUAGE"
                + " Java AS $$return \"x\";$$"));
    FunctionStatement.CreateAggregate aggregate =
        (FunctionStatement.CreateAggregate)
            CqlParser.parse("CREATE AGGREGATE a (int) SFUNC s STYPE text FINALFUNC f INITCOND ''");
    assertEquals(List.of(INT), aggregate.argumentTypes());
    assertEquals("f", aggregate.finalFunction());
    assertNull(
        ((FunctionStatement.DropFunction) CqlParser.parse("DROP FUNCTION f")).argumentTypes());
    assertEquals(
        List.of(),
        ((FunctionStatement.DropFunction) CqlParser.parse("DROP FUNCTION f ()")).argumentTypes());
  }

  private static List<ColumnCheck> checks(String column) {
    CreateTable create =
        (CreateTable)
            CqlParser.parse("CREATE TABLE t (k int PRIMARY KEY, " + column + ", w int)", true);
    assertEquals(3, create.columns().size());
    return create.columns().get(1).checks();
  }

  private static ColumnCheck function(String name, Operator operator, String value) {
    return new ColumnCheck.OfFunction(name, List.of(), operator, value);
  }

  @Test
  void columnConstraintsAreAnExtension() {
    ColumnCheck positive = new ColumnCheck.OfValue("v", Operator.GT, "0");
    ColumnCheck notNull = new ColumnCheck.NotNull();
    assertEquals(List.of(positive), checks("v int CHECK v > 0"));
    assertEquals(List.of(notNull), checks("v frozen<map<int, text>> NOT NULL"));
    assertEquals(List.of(notNull, positive), checks("v int static NOT NULL check v > 0"));
    assertEquals(List.of(positive, notNull), checks("v check CHECK v > 0 AND NOT NULL"));
    assertEquals(
        List.of(new ColumnCheck.OfValue("V", Operator.NEQ, "'it's'")),
        checks("\"V\" ks.check MASKED WITH mask_inner(1, null) CHECK \"V\" != 'it''s'"));
    assertEquals(
        List.of(
            function("length", Operator.LTE, "10"),
            function("regexp", Operator.EQ, "'a,b)'"),
            new ColumnCheck.OfFunction("json", List.of(), null, null),
            new ColumnCheck.OfFunction("f", List.of("'a'", "'b'"), Operator.LT, "-1.5"),
            new ColumnCheck.OfFunction("g", List.of(), null, null)),
        checks(
            "v text CHECK LENGTH() <= 10 AND REGEXP() = 'a,b)' AND JSON() AND f('a', 'b') < -1.5"
                + " AND g"));
    assertEquals(List.of(), checks("check int"));
    for (String wrong :
        List.of("v int CHECK", "v int CHECK v >", "v int CHECK v > w", "v int CHECK v > 5 AND")) {
      assertThrows(CqlSyntaxException.class, () -> checks(wrong), wrong);
    }
    assertThrows(
        CqlSyntaxException.class,
        () -> CqlParser.parse("CREATE TABLE t (k int PRIMARY KEY, v int CHECK v > 0)"));
  }

  @Test
  void alterationsOfColumnConstraints() {
    TableStatement.AlterTable alter =
        (TableStatement.AlterTable)
            CqlParser.parse(
                "ALTER TABLE IF EXISTS ks.check ALTER IF EXISTS check CHECK check > 5;", true);
    assertTrue(alter.ifExists());
    assertEquals(new QualifiedName("ks", "check"), alter.table());
    assertEquals(
        new Alteration.Check(
            "check", true, List.of(new ColumnCheck.OfValue("check", Operator.GT, "5"))),
        alter.alteration());
    assertEquals(
        new Alteration.Check("v", false, List.of()),
        ((TableStatement.AlterTable) CqlParser.parse("ALTER TABLE t ALTER v DROP CHECK", true))
            .alteration());
    Alteration.Add add =
        (Alteration.Add)
            ((TableStatement.AlterTable)
                    CqlParser.parse("ALTER TABLE t ADD (a int, b int CHECK b = 1)", true))
                .alteration();
    assertEquals(List.of(), add.columns().getFirst().checks());
    assertEquals(
        List.of(new ColumnCheck.OfValue("b", Operator.EQ, "1")), add.columns().getLast().checks());
    assertThrows(
        CqlSyntaxException.class, () -> CqlParser.parse("ALTER TABLE t ADD a int NOT NULL", true));
  }

  /** Text that is no token does not hide a mistake before it, as if there were no extensions. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k k FROM t WHERE k = #",
        "UPDATE t SET v + 1 WHERE k = 'a",
        "CREATE TABLE 1 #",
        "CREATE TABLE #",
        "CREATE TABLE t (k int PRIMARY KEY KEY, #)",
        "CREATE TABLE t (k int CHECK k > 1, #)",
      })
  void theFirstOfTwoSyntaxErrorsIsReportedWithExtensionsToo(String text) {
    assertEquals(refusal(text, false), refusal(text, true));
  }

  /** The error without the part of the statement that it quotes. */
  private static String refusal(String text, boolean extensions) {
    String message =
        assertThrows(CqlSyntaxException.class, () -> CqlParser.parse(text, extensions))
            .getMessage();
    return message.contains(" (") ? message.substring(0, message.indexOf(" (")) : message;
  }

  @Test
  void createTableLikeIsAnExtension() {
    TableStatement.CopyTable copy =
        (TableStatement.CopyTable)
            CqlParser.parse("CREATE TABLE IF NOT EXISTS k.t LIKE s WITH comment = 'x';", true);
    assertEquals(new QualifiedName("k", "t"), copy.table());
    assertEquals(new QualifiedName(null, "s"), copy.source());
    assertTrue(copy.ifNotExists());
    assertEquals(1, copy.properties().values().size());
    assertFalse(copy.indexes());
    TableStatement.CopyTable withIndexes =
        (TableStatement.CopyTable)
            CqlParser.parse("CREATE TABLE t LIKE s WITH comment = 'x' AND Indexes", true);
    assertTrue(withIndexes.indexes());
    assertEquals(copy.properties(), withIndexes.properties());
    assertThrows(CqlSyntaxException.class, () -> CqlParser.parse("CREATE TABLE t LIKE s"));
    assertThrows(CqlSyntaxException.class, () -> CqlParser.parse("CREATE TABLE t LIKE", true));
    assertInstanceOf(
        CreateTable.class, CqlParser.parse("CREATE TABLE like (k int PRIMARY KEY)", true));
  }
}
