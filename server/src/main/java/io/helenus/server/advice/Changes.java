package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.Set;
import java.util.stream.Stream;

/** How often the values of a column change once they are written, by its name. Stateless. */
final class Changes {
  private static final Set<String> STATE =
      Set.of("status", "state", "stage", "phase", "online", "progress", "presence");

  private static final Set<String> WORK =
      Set.of(
          "order",
          "orders",
          "job",
          "jobs",
          "task",
          "tasks",
          "ticket",
          "tickets",
          "booking",
          "bookings",
          "reservation",
          "reservations",
          "shipment",
          "shipments",
          "delivery",
          "deliveries",
          "payment",
          "payments",
          "invoice",
          "invoices",
          "subscription",
          "subscriptions",
          "issue",
          "issues",
          "cart",
          "carts",
          "claim",
          "claims");

  private static final Set<String> MEASURE =
      Set.of(
          "score",
          "rank",
          "balance",
          "stock",
          "quantity",
          "inventory",
          "points",
          "karma",
          "popularity",
          "views",
          "likes");

  private static final Set<String> SEEN =
      Set.of(
          "seen",
          "active",
          "activity",
          "access",
          "accessed",
          "login",
          "heartbeat",
          "ping",
          "contact");

  private static final Set<String> ALTERED = Set.of("updated", "modified", "changed", "heartbeat");

  private Changes() {}

  /** Whether rows pass from one of its values to the next: a status. */
  static boolean isState(TableSchema table, ColumnSchema column) {
    return Traits.words(column).endsWith(STATE) && (!isWrittenOnce(table) || passesStates(table));
  }

  /** Whether its rows are of what is worked on, and changes until it is done: orders, jobs. */
  static boolean passesStates(TableSchema table) {
    return ColumnWords.of(table.name()).hasAny(WORK)
        || table.clusteringColumns().stream().anyMatch(each -> Traits.words(each).hasAny(WORK));
  }

  /** Whether it is a number that goes up and down: a score, a stock. */
  static boolean isMeasure(ColumnSchema column) {
    return isNumber(column) && Traits.words(column).endsWith(MEASURE);
  }

  /** Whether it changes each time that something is heard of what the row is about. */
  static boolean isTouched(ColumnSchema column) {
    ColumnWords words = Traits.words(column);
    if (!Traits.isTime(column)) {
      return false;
    }
    return words.hasAny(Set.of("last")) && words.hasAny(SEEN)
        || words.hasAny(Set.of("last")) && words.hasAny(ALTERED)
        || words.endsWith(ALTERED)
        || words.endsWith("updated", "at")
        || words.endsWith("modified", "at")
        || words.endsWith("changed", "at");
  }

  /** Whether rows are written once: something that happened at a time that is in the key. */
  static boolean isWrittenOnce(TableSchema table) {
    return Stream.concat(table.partitionKey().stream(), table.clusteringColumns().stream())
        .anyMatch(each -> Traits.isTime(each) || Traits.isDate(each));
  }

  private static boolean isNumber(ColumnSchema column) {
    return column.type() instanceof ScalarType type
        && switch (type) {
          case INT, BIGINT, SMALLINT, DOUBLE, FLOAT, DECIMAL, VARINT -> true;
          default -> false;
        };
  }
}
