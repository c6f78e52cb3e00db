package io.helenus.server.differential;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Literal;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedDefinitions;
import io.helenus.server.generated.GeneratedTable;
import io.helenus.server.generated.GeneratedViews;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether two servers return other rows of a materialized view since that of Cassandra has
 * gone wrong, or has other forms of key values, as docs/compatibility.md says.
 *
 * <p>Of forms, all rows of the view are compared. That it has gone wrong is proven by a second view
 * with the same definition, built from the same rows: the one of Cassandra must differ from the
 * view in question, that of the subject must not, and the two new ones must be the same. Write
 * times and TTLs are compared, too. Not thread-safe.
 */
final class ViewDefects {
  private static final Pattern DESCRIBED =
      Pattern.compile("> .* \\| '(CREATE MATERIALIZED VIEW .*)'");
  private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d.]*(?:E[+-]?\\d+)?");
  private static final String RAW = "raw:0x";
  private static final String COPY = "view_built_anew";

  private final ServerPair servers;
  private final GeneratedViews views;

  ViewDefects(ServerPair servers, GeneratedViews views) {
    this.servers = servers;
    this.views = views;
  }

  /** Whether the reference's answer differs as its view is not what its definition selects. */
  boolean explains(Difference difference) throws IOException {
    Script.Statement statement = difference.statement();
    GeneratedViews.View view = views.named(statement.text());
    boolean rows =
        DifferentialRound.isSelect(statement)
            && !Difference.refused(difference.reference())
            && !Difference.refused(difference.subject());
    if (!rows || view == null) {
      return false;
    }
    List<String> now = statement.directives("now");
    List<String> directives = List.of("now " + (now.isEmpty() ? "1990000000" : now.getFirst()));
    ServerPair.Answers maintained =
        servers.ask(statement(directives, all(view.table(), view.table().name())));
    return !Difference.refused(maintained.expected())
        && !Difference.refused(maintained.actual())
        && (areForms(view.table(), maintained) || isDefect(view.table(), directives, maintained));
  }

  private boolean isDefect(
      GeneratedTable view, List<String> directives, ServerPair.Answers maintained)
      throws IOException {
    ServerPair.Answers described =
        servers.ask(GeneratedDefinitions.plain("DESCRIBE MATERIALIZED VIEW " + view.name()));
    Matcher matcher = DESCRIBED.matcher(described.actual().getLast());
    if (!matcher.matches()) {
      return false;
    }
    String definition = Literal.unescape(matcher.group(1).replace("''", "'"));
    String name = definition.split(" ", -1)[3];
    String copy = name.substring(0, name.indexOf('.') + 1) + COPY;
    ServerPair.Answers created =
        servers.ask(statement(List.of(), definition.replace(" " + name + " ", " " + copy + " ")));
    if (Difference.refused(created.expected()) || Difference.refused(created.actual())) {
      return false;
    }
    ServerPair.Answers built = servers.ask(statement(directives, all(view, COPY)));
    ServerPair.Answers dropped =
        servers.ask(GeneratedDefinitions.plain("DROP MATERIALIZED VIEW " + copy));
    return !Difference.refused(dropped.actual())
        && !Difference.refused(built.actual())
        && !Difference.differ(rows(maintained.actual()), rows(built.actual()))
        && Difference.differ(rows(maintained.expected()), rows(built.expected()))
        && (!built.differ()
            || new Difference(
                    statement(directives, all(view, COPY)), built.expected(), built.actual())
                .isAllowed());
  }

  /** Whether the rows differ, but only in the forms of values of the key. */
  private static boolean areForms(GeneratedTable view, ServerPair.Answers maintained) {
    return maintained.differ()
        && usual(view, rows(maintained.expected())).equals(usual(view, rows(maintained.actual())));
  }

  /** Rows with the canonical forms of key values, sorted, as other bytes have other tokens. */
  private static List<String> usual(GeneratedTable view, List<String> rows) {
    List<String> usual = new ArrayList<>();
    for (String row : rows) {
      String[] cells = row.substring("> ".length()).split(" \\| ", -1);
      for (int i = 0; i < Math.min(cells.length, view.columns().size()); i++) {
        GeneratedTable.Column column = view.columns().get(i);
        cells[i] = column.isKey() ? usual(column.type(), cells[i]) : cells[i];
      }
      usual.add(String.join(" | ", cells));
    }
    usual.sort(null);
    return usual;
  }

  private static String usual(DataType type, String value) {
    if (type == DataType.Scalar.VARINT && value.startsWith(RAW)) {
      return new BigInteger(HexFormat.of().parseHex(value, RAW.length(), value.length()))
          .toString();
    }
    if (type == DataType.Scalar.DECIMAL && NUMBER.matcher(value).matches()) {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    }
    String shown = type instanceof DataType.UserType ? "differential_0.u0" : type.toString();
    return RowDifference.usual("c0 " + shown, value);
  }

  private static Script.Statement statement(List<String> directives, String text) {
    return new Script.Statement(0, directives, List.of(text), List.of());
  }

  private static List<String> rows(List<String> answer) {
    return answer.subList(1, answer.size());
  }

  /** A query of everything in a view. */
  private static String all(GeneratedTable view, String name) {
    List<String> selectors = new ArrayList<>();
    for (GeneratedTable.Column column : view.columns()) {
      selectors.add(column.name());
      if (!column.isKey()) {
        if (view.hasChosenTimestamps()) {
          selectors.add("writetime(" + column.name() + ")");
        }
        selectors.add("ttl(" + column.name() + ")");
      }
    }
    return "SELECT " + String.join(", ", selectors) + " FROM " + name;
  }
}
