package io.helenus.cql.parser;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Relation;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.cql.ast.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A SELECT being parsed. */
final class SelectDraft {
  @Nullable QualifiedName table;
  boolean json;
  boolean distinct;
  List<Selector> selectors = List.of();
  List<Relation> where = List.of();
  final List<Selectable> groupBy = new ArrayList<>();
  final List<SelectStatement.Ordering> orderBy = new ArrayList<>();
  @Nullable Term perPartitionLimit;
  @Nullable Term limit;
  boolean allowFiltering;

  SelectStatement build(List<BindMarker> markers) {
    return new SelectStatement(
        Objects.requireNonNull(table, "table"),
        json,
        distinct,
        selectors,
        where,
        groupBy,
        orderBy,
        perPartitionLimit,
        limit,
        allowFiltering,
        markers);
  }
}
