package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * A clustering column that is unique to each row before the time: a range of time can only be read
 * for one row.
 */
final class UnreachableRangeColumn implements Rule {
  @Override
  public String name() {
    return "unreachable-range-column";
  }

  @Override
  public void judge(Review review) {
    List<ColumnSchema> clustering = review.clustering();
    if (review.isView() || review.table().isCompact() || clustering.size() < 2) {
      return;
    }
    TableWords words = TableWords.of(review.table());
    ColumnSchema first = clustering.getFirst();
    if (!words.isRowId(first) || !Traits.isUnique(first.type())) {
      return;
    }
    clustering.stream()
        .skip(1)
        .filter(each -> Traits.isTime(each) && !Traits.isUnique(each.type()))
        .findFirst()
        .ifPresent(time -> speak(review, first, time));
  }

  private void speak(Review review, ColumnSchema unique, ColumnSchema time) {
    TableSchema table = review.table();
    List<String> order = new ArrayList<>();
    order.add(time.name());
    review.clustering().stream()
        .map(ColumnSchema::name)
        .filter(each -> !each.equals(time.name()))
        .forEach(order::add);
    review.found(
        this,
        "In "
            + table.cqlName()
            + " the rows of a partition are in the order of "
            + unique.name()
            + ", which each row has for itself, and "
            + time.name()
            + " comes after it: a range of "
            + time.name()
            + " can be read only within one "
            + unique.name()
            + ", that is, within one row; any other needs ALLOW FILTERING and reads the whole"
            + " partition.",
        Draft.of(table).clusteredBy(order).toCql());
  }
}
