package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A queue made of deletions: rows in the order in which they come, deleted when they are done. Each
 * read of the next one passes the tombstones of all before it.
 */
final class Queue implements Rule {
  private static final int HOUR_SECONDS = 3_600;
  private static final int WARN_TOMBSTONES = 1_000;
  private static final int FAIL_TOMBSTONES = 100_000;

  /** Tables that are queues by their names, whatever their partition key. */
  private static final Set<String> QUEUES =
      Set.of(
          "queue",
          "queues",
          "outbox",
          "dlq",
          "backlog",
          "worklist",
          "workqueue",
          "jobqueue",
          "taskqueue");

  /** Tables that are queues if nothing but the kind of work divides them. */
  private static final Set<String> WORK =
      Set.of(
          "job",
          "jobs",
          "task",
          "tasks",
          "todo",
          "todos",
          "pending",
          "scheduled",
          "unprocessed",
          "undelivered",
          "unsent",
          "retry",
          "retries",
          "work");

  /** What divides work, and not what is worked on. */
  private static final Set<String> KINDS =
      Set.of("queue", "topic", "channel", "worker", "type", "kind");

  /** Tables about queues whose rows stay. */
  private static final Set<String> KEPT =
      Set.of(
          "history",
          "log",
          "logs",
          "event",
          "events",
          "stats",
          "metrics",
          "runs",
          "audit",
          "archive",
          "completed",
          "done",
          "results",
          "result",
          "config",
          "settings",
          "metadata",
          "info",
          "executions");

  private static final Set<String> SEQUENCE =
      Set.of("seq", "sequence", "position", "offset", "number", "order", "ordinal", "index");

  /** The time of what is over. */
  private static final Set<String> OVER =
      Set.of("started", "finished", "completed", "ended", "executed", "ran", "end");

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    int grace = table.options().gcGraceSeconds();
    if (review.isView()
        || table.isCounter()
        || grace < HOUR_SECONDS
        || !isOrdered(review.clustering())
        || !isQueue(table)) {
      return;
    }
    review.found(
        this,
        table.cqlName()
            + " is a queue: its rows are read in their order and deleted when they are done, and a"
            + " deleted row is a tombstone that each read of the next one passes until"
            + " gc_grace_seconds are over, which are "
            + Growth.duration(grace / 86_400.0)
            + ". At one row a second reads warn after "
            + Growth.duration(WARN_TOMBSTONES / 86_400.0)
            + " (tombstone_warn_threshold) and are refused after "
            + Growth.duration(FAIL_TOMBSTONES / 86_400.0)
            + " (tombstone_failure_threshold); "
            + String.format(Locale.ROOT, "%,d", grace)
            + " tombstones are kept. A partition for each hour is left behind with its tombstones:"
            + " remember the hour up to which all is done, and never read an earlier one.",
        Draft.of(table).with("queued_hour", "timestamp").partitionedAlsoBy("queued_hour").toCql());
  }

  private static boolean isOrdered(List<ColumnSchema> clustering) {
    return clustering.stream()
        .limit(2)
        .filter(each -> !Traits.words(each).hasAny(OVER))
        .anyMatch(
            each ->
                Traits.isTime(each)
                    || each.type() == ScalarType.BIGINT
                    || Traits.words(each).endsWith(SEQUENCE));
  }

  private static boolean isQueue(TableSchema table) {
    ColumnWords words = ColumnWords.of(table.name());
    List<ColumnSchema> key = table.partitionKey();
    if (words.hasAny(KEPT) || key.stream().anyMatch(Queue::isDivided)) {
      return false;
    }
    return words.hasAny(QUEUES)
        || key.stream().anyMatch(each -> Traits.words(each).hasAny(Set.of("queue")))
        || words.hasAny(WORK) && key.stream().allMatch(Queue::isKind);
  }

  private static boolean isDivided(ColumnSchema column) {
    return Traits.isBucket(column) || Traits.isTime(column);
  }

  private static boolean isKind(ColumnSchema column) {
    List<String> words = Traits.words(column).words();
    boolean named = words.getLast().equals("name");
    return Traits.isFewValued(column)
        || words.equals(List.of("name"))
        || KINDS.contains(words.get(Math.max(0, words.size() - (named ? 2 : 1))));
  }
}
