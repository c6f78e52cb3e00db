package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.Set;

/** A name that says newest first, of a table whose rows are kept oldest first. */
final class AscendingOrder implements Rule {
  private static final Set<String> NEWEST =
      ColumnWords.set("latest recent recently newest last feed newsfeed timeline inbox news");

  @Override
  public String name() {
    return "ascending-order";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    TableWords words = TableWords.of(table);
    if (review.isView() || table.isCompact() || !saysNewest(review, words)) {
      return;
    }
    for (ColumnSchema column : review.clustering()) {
      if (Traits.isTime(column)) {
        if (!column.descending() && !Traits.isPlanned(column)) {
          speak(review, column);
        }
        return;
      }
    }
  }

  /** A history is read from its end by people, and from its beginning by what draws curves. */
  private static boolean saysNewest(Review review, TableWords words) {
    return words.hasAny(NEWEST)
        || words.noun().equals("history")
            && review.partitionKey().stream().anyMatch(Traits::isPerson);
  }

  private void speak(Review review, ColumnSchema time) {
    TableSchema table = review.table();
    review.found(
        this,
        "The name of "
            + table.cqlName()
            + " says that the newest rows are wanted first, but "
            + time.name()
            + " is in ascending order: a LIMIT returns the oldest rows, and every query must say"
            + " ORDER BY, which reads the partition backwards.",
        Draft.of(table).descending(time.name(), true).toCql());
  }
}
