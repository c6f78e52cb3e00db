package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.Optional;
import java.util.Set;

/**
 * A timestamp as last clustering column of rows that may well be written in the same millisecond:
 * the second replaces the first, without an error. Silent about measurements: of one sensor there
 * is one at a time.
 */
final class TimestampWithoutTieBreaker implements Rule {
  /** What people and services write, several at a time. */
  private static final Set<String> EVENT =
      ColumnWords.set(
          "message comment post tweet order transaction payment event notification email"
              + " mail review purchase transfer trade bid invoice log chat article like click visit"
              + " request upload booking reply sale feed timeline entry");

  @Override
  public String name() {
    return "timestamp-without-tie-breaker";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    if (review.isView()
        || table.isCounter()
        || table.isCompact()
        || review.clustering().isEmpty()) {
      return;
    }
    ColumnSchema last = review.clustering().getLast();
    TableWords words = TableWords.of(table);
    boolean identified =
        review.clustering().stream().anyMatch(words::isRowId)
            || review.partitionKey().stream().anyMatch(words::isRowId);
    if (last.type() != ScalarType.TIMESTAMP
        || identified
        || Traits.isBucket(last)
        || Traits.isPlanned(last)) {
      return;
    }
    Optional<ColumnSchema> own =
        table.regularColumns().stream().filter(each -> isOwnId(each, words)).findFirst();
    if (own.isPresent() || EVENT.contains(words.noun())) {
      speak(review, last, own);
    }
  }

  private static boolean isOwnId(ColumnSchema column, TableWords words) {
    return !column.multiCell()
        && words.isRowId(column)
        && (column.type() instanceof ScalarType type && type != ScalarType.BLOB);
  }

  private void speak(Review review, ColumnSchema last, Optional<ColumnSchema> own) {
    TableSchema table = review.table();
    Draft draft = Draft.of(table);
    own.ifPresentOrElse(
        each -> draft.clusteredAlsoBy(each.name()), () -> draft.clusteredAlsoByNew("id", "uuid"));
    review.found(
        this,
        "Two rows of "
            + table.cqlName()
            + " with the same "
            + last.name()
            + " in one partition are one row: an INSERT in the same millisecond as another replaces"
            + " it without an error. At 100 rows a second in a partition, at independent moments,"
            + " one row in twenty is lost.",
        draft.toCql());
  }
}
