package io.helenus.server.query.explain;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The relations of a WHERE clause as text. Stateless; any thread. */
final class Clauses {
  private static final int SHOWN_CHARS = 80;

  private Clauses() {}

  /** The columns that a relation restricts. */
  static List<String> columns(Relation relation) {
    return switch (relation) {
      case Relation.ColumnRelation each -> List.of(each.column());
      case Relation.ColumnIn each -> List.of(each.column());
      case Relation.ElementRelation each -> List.of(each.column());
      case Relation.IsNotNull each -> List.of(each.column());
      case Relation.TupleRelation each -> each.columns();
      case Relation.TupleIn each -> each.columns();
      case Relation.TokenRelation each -> each.columns();
      case Relation.IndexExpression _ -> List.of();
    };
  }

  /** The relations, other than those of tokens, on columns of these names. */
  static String on(Collection<String> names, List<Relation> where) {
    List<String> parts = new ArrayList<>();
    for (Relation each : where) {
      if (!(each instanceof Relation.TokenRelation)
          && columns(each).stream().anyMatch(names::contains)) {
        parts.add(text(each));
      }
    }
    return String.join(" AND ", parts);
  }

  /** The relations of tokens. */
  static String tokens(List<Relation> where) {
    return String.join(
        " AND ",
        where.stream()
            .filter(Relation.TokenRelation.class::isInstance)
            .map(Clauses::text)
            .toList());
  }

  /** A relation in CQL. */
  static String text(Relation relation) {
    return switch (relation) {
      case Relation.ColumnRelation each ->
          CqlNames.quoted(each.column()) + " " + each.operator() + " " + value(each.value());
      case Relation.ColumnIn each ->
          CqlNames.quoted(each.column()) + " IN " + values(each.values());
      case Relation.ElementRelation each ->
          CqlNames.quoted(each.column())
              + "["
              + value(each.key())
              + "] "
              + each.operator()
              + " "
              + value(each.value());
      case Relation.IsNotNull each -> CqlNames.quoted(each.column()) + " IS NOT NULL";
      case Relation.TupleRelation each ->
          names(each.columns()) + " " + each.operator() + " " + value(each.value());
      case Relation.TupleIn each -> names(each.columns()) + " IN " + values(each.values());
      case Relation.TokenRelation each ->
          "token" + names(each.columns()) + " " + each.operator() + " " + value(each.value());
      case Relation.IndexExpression each ->
          "expr(" + each.index() + ", " + value(each.value()) + ")";
    };
  }

  /** Names in parentheses. */
  static String names(List<String> columns) {
    return "(" + joined(columns) + ")";
  }

  /** Names with commas between them. */
  static String joined(List<String> columns) {
    return String.join(", ", columns.stream().map(CqlNames::quoted).toList());
  }

  private static String values(InValues values) {
    return values instanceof InValues.Values listed
        ? "("
            + shortened(String.join(", ", listed.terms().stream().map(Clauses::value).toList()))
            + ")"
        : "?";
  }

  /** A value, as far as there is room for it. */
  static String value(Term term) {
    return shortened(
        term instanceof Term.Literal(Term.LiteralKind kind, String text)
                && kind == Term.LiteralKind.STRING
            ? CqlNames.literal(text)
            : term.toString());
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }
}
