package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.Choices;
import io.helenus.server.generated.GeneratedTable;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Role;
import io.helenus.server.generated.GeneratedViews;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ViewDefectsTest {
  private static final String DEFINITION =
      "> 'ks' | 'materialized_view' | 'm0' | 'CREATE MATERIALIZED VIEW ks.m0 AS\\n    SELECT *"
          + "\\n    FROM ks.t0\\n    WHERE p0 = ''it''''s''\\n    PRIMARY KEY (p0, v1)'";

  private final GeneratedViews views = new GeneratedViews(new Choices(1));
  private final List<String> asked = new ArrayList<>();
  private List<String> rightThere = List.of();
  private List<String> rightHere = List.of();
  private List<String> maintainedThere = List.of();
  private List<String> maintainedHere = List.of();
  private List<String> created = List.of("> CREATED TABLE ks.view_built_anew");
  private String view = "";

  @BeforeEach
  void aViewExists() {
    List<Column> columns =
        List.of(
            new Column("p0", DataType.Scalar.TEXT, Role.PARTITION, false, true),
            new Column("v1", DataType.Scalar.INT, Role.REGULAR, false, false));
    GeneratedTable base = new GeneratedTable("t0", GeneratedTable.Kind.PLAIN, columns);
    views.create(base).onAccepted().run();
    view = views.tables().getFirst().name();
  }

  private static List<String> rows(String table, List<String> rows) {
    List<String> answer = new ArrayList<>(List.of("> ks." + table + ": p0 text | v1 int"));
    answer.addAll(rows);
    return answer;
  }

  private boolean explains(List<String> reference, List<String> subject, String text)
      throws IOException {
    ServerPair servers =
        statement -> {
          asked.add(statement.text());
          if (statement.text().startsWith("DESCRIBE")) {
            return new ServerPair.Answers(List.of(DEFINITION), List.of("> h", DEFINITION));
          } else if (statement.text().startsWith("CREATE")) {
            return new ServerPair.Answers(created, created);
          } else if (statement.text().startsWith("DROP")) {
            return new ServerPair.Answers(List.of("> DROPPED"), List.of("> DROPPED"));
          }
          return statement.text().endsWith("view_built_anew")
              ? new ServerPair.Answers(rows("n", rightThere), rows("n", rightHere))
              : new ServerPair.Answers(rows("m", maintainedThere), rows("m", maintainedHere));
        };
    Script.Statement statement = new Script.Statement(1, List.of(), List.of(text), List.of());
    return new ViewDefects(servers, views).explains(new Difference(statement, reference, subject));
  }

  private boolean explainsRows() throws IOException {
    return explains(rows("m", List.of("> 'a' | 1")), rows("m", List.of()), "SELECT * FROM " + view);
  }

  @Test
  void aViewThatIsNotLikeOneBuiltAnewIsADefectOfCassandra() throws IOException {
    maintainedThere = List.of("> 'a' | 1");
    assertTrue(explainsRows());
    assertTrue(
        asked.contains(
            "CREATE MATERIALIZED VIEW ks.view_built_anew AS\n    SELECT *\n    FROM ks.t0\n"
                + "    WHERE p0 = 'it''s'\n    PRIMARY KEY (p0, v1)"),
        asked.toString());
    assertEquals("DROP MATERIALIZED VIEW ks.view_built_anew", asked.getLast());
  }

  @Test
  void aViewOfTheSubjectThatIsNotLikeOneBuiltAnewIsNotExcused() throws IOException {
    maintainedHere = List.of("> 'a' | 1");
    assertFalse(explainsRows());
    maintainedThere = List.of("> 'a' | 1");
    assertFalse(explainsRows());
  }

  @Test
  void valuesOfKeysMayBeSpelledOtherwise() throws IOException {
    List<Column> columns =
        List.of(
            new Column("p0", DataType.Scalar.VARINT, Role.PARTITION, false, true),
            new Column("p1", DataType.Scalar.DECIMAL, Role.PARTITION, false, true));
    views.create(new GeneratedTable("t1", GeneratedTable.Kind.PLAIN, columns)).onAccepted().run();
    GeneratedTable second = views.tables().getLast();
    boolean varintFirst = second.columns().getFirst().name().equals("p0");
    maintainedThere =
        List.of(varintFirst ? "> raw:0x0001 | 1.00" : "> 1.00 | raw:0x0001", "> 5 | 5");
    maintainedHere = List.of("> 5 | 5", varintFirst ? "> 1 | 1.0" : "> 1.0 | 1");
    List<String> row = rows("m", List.of("> 'a' | 1"));
    String text = "SELECT * FROM " + second.name();
    assertTrue(explains(row, rows("m", List.of()), text));
    assertEquals(1, asked.size());
    maintainedHere = List.of("> 5 | 5", varintFirst ? "> 2 | 1.0" : "> 1.0 | 2");
    assertFalse(explains(row, rows("m", List.of()), text));
  }

  @Test
  void viewsBuiltAnewMustBeTheSame() throws IOException {
    maintainedThere = List.of("> 'a' | 1");
    rightThere = List.of("> 'b' | 1");
    assertFalse(explainsRows());
  }

  @Test
  void aViewThatIsRightThereExplainsNothing() throws IOException {
    assertFalse(explainsRows());
  }

  @Test
  void onlyRowsOfViewsAreExplained() throws IOException {
    maintainedThere = List.of("> 'a' | 1");
    List<String> row = rows("m", List.of("> 'a' | 1"));
    assertFalse(explains(row, rows("m", List.of()), "SELECT * FROM t0"));
    assertFalse(explains(row, List.of("! 2200 no"), "SELECT * FROM " + view));
    assertFalse(explains(row, List.of("> done"), "INSERT INTO " + view + " (p0) VALUES ('a')"));
    assertEquals(List.of(), asked);
    created = List.of("! 2200 no");
    assertFalse(explainsRows());
  }
}
