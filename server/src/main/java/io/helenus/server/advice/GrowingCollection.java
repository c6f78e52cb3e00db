package io.helenus.server.advice;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A collection in a row to which elements are added as long as the row exists: followers, messages,
 * readings. It is read as a whole.
 */
final class GrowingCollection implements Rule {
  private static final int ELEMENTS = 10_000;
  private static final int CELL = 3;
  private static final int LIST_PATH = 16;

  /** What is added to without end. */
  private static final Set<String> GROWS =
      Set.of(
          "followers",
          "following",
          "followees",
          "subscribers",
          "fans",
          "likes",
          "likers",
          "events",
          "messages",
          "history",
          "log",
          "logs",
          "comments",
          "replies",
          "posts",
          "tweets",
          "visits",
          "visitors",
          "viewers",
          "readings",
          "measurements",
          "transactions",
          "activities",
          "notifications",
          "clicks",
          "logins",
          "votes",
          "voters",
          "reviews",
          "revisions",
          "timeline",
          "feed");

  /** What may be added to without end, and is in a list. */
  private static final Set<String> GROWS_IN_LISTS =
      Set.of(
          "payments",
          "ratings",
          "changes",
          "entries",
          "samples",
          "orders",
          "purchases",
          "sessions",
          "activity",
          "views",
          "updates",
          "records",
          "values",
          "points",
          "scores",
          "results",
          "friends",
          "notes",
          "uploads",
          "alerts");

  @Override
  public String name() {
    return "growing-collection";
  }

  @Override
  public void judge(Review review) {
    if (review.isView()
        || review.hasTimeToLive()
        || review.partitionKey().stream().anyMatch(Traits::isBucket)) {
      return;
    }
    TableSchema table = review.table();
    for (ColumnSchema column : table.columns()) {
      if (!column.isPrimaryKey()
          && column.type() instanceof CollectionType type
          && !(type.frozen() && Changes.isWrittenOnce(table))
          && grows(column, type)) {
        review.found(this, column.name(), problem(table, column, type), instead(review, column));
      }
    }
  }

  private static boolean grows(ColumnSchema column, CollectionType type) {
    ColumnWords words = Traits.words(column);
    return words.endsWith(GROWS)
        || type instanceof ListType && words.endsWith(GROWS_IN_LISTS)
        || hasAnElementForEachMoment(type) && column.name().length() > 2;
  }

  private static boolean hasAnElementForEachMoment(CollectionType type) {
    return switch (type) {
      case ListType list -> isMoment(list.element());
      case SetType set -> isMoment(set.element());
      case MapType map -> isMoment(map.key());
    };
  }

  private static boolean isMoment(CqlType type) {
    return type == ScalarType.TIMESTAMP || type == ScalarType.TIMEUUID;
  }

  private static String problem(TableSchema table, ColumnSchema column, CollectionType type) {
    int bytes = CELL + type.parts().stream().mapToInt(RowSize::ofType).sum();
    if (type instanceof ListType) {
      bytes += LIST_PATH;
    }
    String text =
        column.name()
            + " of "
            + table.cqlName()
            + " is a collection that grows as long as its row exists, and a collection is read as a"
            + " whole: with "
            + String.format(Locale.ROOT, "%,d", ELEMENTS)
            + " elements each read of it is "
            + Growth.size((double) ELEMENTS * bytes)
            + ", however few of them are wanted.";
    if (type.frozen()) {
      text += " As it is frozen, each element that is added writes all of them again.";
    } else if (type instanceof ListType) {
      text +=
          " A write to a list that is retried after a timeout adds its element twice, and setting"
              + " or removing an element reads the list first.";
    }
    return text;
  }

  private static String instead(Review review, ColumnSchema column) {
    TableSchema table = review.table();
    Draft draft = Draft.of(table).named(SecondTable.name(review.keyspace(), table, column.name()));
    for (ColumnSchema each : table.columns()) {
      if (!each.isPrimaryKey()) {
        draft.without(each.name());
      }
    }
    List<String> clustering = new ArrayList<>();
    for (ColumnSchema each : table.clusteringColumns()) {
      if (column.isStatic()) {
        draft.without(each.name());
      } else {
        clustering.add(each.name());
      }
    }
    String element = singular(column.name());
    switch ((CollectionType) column.type()) {
      case SetType set -> {
        clustering.add(unused(table, element));
        draft.with(clustering.getLast(), set.element().freeze().toCql());
      }
      case MapType map -> {
        clustering.add(unused(table, element + "_key"));
        draft
            .with(clustering.getLast(), map.key().freeze().toCql())
            .with(unused(table, element), map.value().toCql());
      }
      case ListType list -> {
        clustering.add(unused(table, "added"));
        draft
            .with(clustering.getLast(), "timeuuid")
            .with(unused(table, element), list.element().toCql());
      }
    }
    draft.clusteredBy(clustering);
    if (column.type() instanceof ListType) {
      draft.descending(clustering.getLast(), true);
    }
    return draft.toCql()
        + " ALTER TABLE "
        + table.cqlName()
        + " DROP "
        + CqlNames.quoted(column.name())
        + ";";
  }

  private static String singular(String name) {
    if (name.endsWith("ies") && name.length() > 4) {
      return name.substring(0, name.length() - 3) + "y";
    }
    return name.endsWith("s") && !name.endsWith("ss") && name.length() > 2
        ? name.substring(0, name.length() - 1)
        : name;
  }

  private static String unused(TableSchema table, String name) {
    ColumnSchema there = table.column(name);
    return there != null && there.isPrimaryKey() ? unused(table, name + "_") : name;
  }
}
