package io.helenus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.row.RowFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which tables the files of a snapshot can be loaded into, and as which columns. */
class ColumnMatchTest {
  private static final String ORIGINAL =
      "CREATE TABLE k.t (p int, c text, b text, f frozen<part>, m map<int, text>, z int static,"
          + " PRIMARY KEY (p, c))";

  private final FakeNode node =
      new FakeNode(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
              + " 1}",
          "CREATE TYPE k.part (n int)",
          ORIGINAL);

  private TableSchema table(String name) {
    return Objects.requireNonNull(node.state().schema().table("k", name));
  }

  private SnapshotManifest snapshot() throws IOException {
    String text = SnapshotManifest.text(List.of("100-1.sst"), table("t"), Instant.EPOCH);
    return SnapshotManifest.parse(text, "manifest.json");
  }

  private ColumnMatch match(SnapshotManifest saved, String... definitions) {
    for (String definition : definitions) {
      node.fixture.change(definition);
    }
    return new ColumnMatch(saved, table("other"));
  }

  private static String other(String columns, String key) {
    return "CREATE TABLE k.other (" + columns + ", PRIMARY KEY (" + key + "))";
  }

  private @Nullable String refusal(String columns, String key) throws IOException {
    return match(snapshot(), other(columns, key)).refusal();
  }

  @Test
  void columnsAreFoundByName() throws IOException {
    node.fixture.change("ALTER TABLE k.t ADD a set<int>");
    SnapshotManifest saved = snapshot();
    TreeMap<String, Integer> expected = new TreeMap<>();
    for (ColumnSchema column : table("t").columns()) {
      expected.put(column.name(), column.id());
    }
    ColumnMatch match =
        match(
            saved,
            other(
                "p int, c text, a set<int>, b text, d int, f frozen<part>, m map<int, text>,"
                    + " y int static, z int static",
                "p, c"));
    assertNull(match.refusal());
    TreeMap<String, Integer> found = new TreeMap<>();
    int moved = 0;
    for (ColumnTranslation.Column column : match.columns().columns()) {
      found.put(table("other").column(column.to()).name(), column.from());
      moved += column.from() == column.to() ? 0 : 1;
      assertEquals(RowFormat.NO_TIMESTAMP, column.droppedAtMicros());
    }
    assertEquals(expected, found);
    assertEquals(5, moved, "all but the key have other numbers");
  }

  @Test
  void cellsFromBeforeAColumnWasDroppedAndAddedAgainAreLeftOut() throws IOException {
    node.fixture.change("ALTER TABLE k.t DROP b USING TIMESTAMP 1234567890123");
    node.fixture.change("ALTER TABLE k.t DROP m USING TIMESTAMP 12");
    node.fixture.change("ALTER TABLE k.t ADD b text");
    node.fixture.change("ALTER TABLE k.t ADD m map<int, text>");
    ColumnMatch match =
        match(
            snapshot(),
            other("p int, c text, b text, f frozen<part>, m map<int, text>, z int static", "p, c"));
    assertNull(match.refusal());
    TreeMap<String, Long> drops = new TreeMap<>();
    for (ColumnTranslation.Column column : match.columns().columns()) {
      if (column.droppedAtMicros() != RowFormat.NO_TIMESTAMP) {
        drops.put(table("other").column(column.to()).name(), column.droppedAtMicros());
      }
    }
    assertEquals("{b=1234567890123, m=12}", drops.toString());
  }

  @Test
  void aColumnThatWasDroppedBeforeIsLeftOut() throws IOException {
    node.fixture.change("ALTER TABLE k.t DROP m");
    ColumnMatch match =
        match(snapshot(), other("p int, c text, b text, f frozen<part>, z int static", "p, c"));
    assertNull(match.refusal());
    assertEquals(5, match.columns().columns().size());
  }

  @Test
  void aUserTypeMayHaveGotFields() throws IOException {
    SnapshotManifest saved = snapshot();
    node.fixture.change("ALTER TYPE k.part ADD o text");
    String columns = "p int, c text, b text, f frozen<part>, m map<int, text>, z int static";
    assertNull(match(saved, other(columns, "p, c")).refusal());
    SnapshotManifest wider = snapshot();
    node.fixture.change("DROP TABLE k.t");
    node.fixture.change("DROP TABLE k.other");
    node.fixture.change("DROP TYPE k.part");
    node.fixture.change("CREATE TYPE k.part (n int)");
    String part = "org.apache.cassandra.db.marshal.UserType(k,70617274,6e:";
    String number = "org.apache.cassandra.db.marshal.Int32Type";
    assertEquals(
        "column f was of type org.apache.cassandra.db.marshal.FrozenType("
            + part
            + number
            + ",6f:org.apache.cassandra.db.marshal.UTF8Type)), now"
            + " org.apache.cassandra.db.marshal.FrozenType("
            + part
            + number
            + ")); load them into a table where it has the type that it had",
        match(wider, other(columns, "p, c")).refusal());
  }

  @Test
  void aRefusalNamesTheColumnAndWhatToDo() throws IOException {
    String rest = ", f frozen<part>, z int static";
    assertEquals(
        "the table has no column m; add it first: ALTER TABLE k.other ADD m map<int, text>",
        refusal("p int, c text, b text" + rest, "p, c"));
    node.fixture.change("DROP TABLE k.other");
    assertEquals(
        "column m was of type map<int, text>, now frozen<map<int, text>>; load them into a table"
            + " where it has the type that it had",
        refusal("p int, c text, b text, m frozen<map<int, text>>" + rest, "p, c"));
    node.fixture.change("DROP TABLE k.other");
    assertEquals(
        "column b was regular, now static; load them into a table where it is regular",
        refusal("p int, c text, b text static, m map<int, text>" + rest, "p, c"));
    node.fixture.change("DROP TABLE k.other");
    assertEquals(
        "the table has no column z; add it first: ALTER TABLE k.other ADD z int static",
        refusal("p int, c text, b text, m map<int, text>, f frozen<part>", "p, c"));
    node.fixture.change("DROP TABLE k.other");
    assertEquals(
        "the primary key was (p, c), now (p, c, b); load them into a table with that primary key",
        refusal("p int, c text, b text, m map<int, text>" + rest, "p, c, b"));
    node.fixture.change("DROP TABLE k.other");
    assertEquals(
        "column c was clustering asc, now partition_key; load them into a table where it is"
            + " clustering asc",
        refusal("p int, c text, b text, m map<int, text>, f frozen<part>, z int", "(p, c)"));
  }
}
