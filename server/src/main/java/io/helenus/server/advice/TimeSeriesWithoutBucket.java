package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rows that a machine writes, in the order of time, in a partition that takes them for ever. Silent
 * about what people do: few write a row a minute for years.
 */
final class TimeSeriesWithoutBucket implements Rule {
  private static final double A_MINUTE = 24 * 60;
  private static final double A_SECOND = 86_400;

  /** What all instances of a service write together. */
  private static final double OF_A_SERVICE = 100 * 86_400.0;

  private static final double SECONDS_A_DAY = 86_400;

  /** What writes at a rate. */
  private static final Set<String> MACHINE =
      ColumnWords.set(
          "sensor device machine meter station weatherstation wsid host hostname server vehicle car"
              + " truck bus taxi drone metric series symbol ticker instrument probe gauge gateway"
              + " turbine wearable camera tracker robot pump engine beacon imei thermostat"
              + " satellite container pod vm router switch plant well inverter asset thing");

  /** What is written at a rate. */
  private static final Set<String> SERIES =
      ColumnWords.set(
          "reading measurement metric sample telemetry temperature humidity log tick heartbeat gps"
              + " datapoint observation signal click impression pageview");

  /** What is written at a rate even if it is a person that is measured. */
  private static final Set<String> MEASURED =
      ColumnWords.set("reading measurement sample telemetry heartbeat heartrate gps datapoint");

  /** What a service that people use writes at a rate. */
  private static final Set<String> EVENT =
      ColumnWords.set(
          "event log request error visit hit access trace span metric click view post tweet");

  private static final Set<String> SERVICE =
      ColumnWords.set(
          "service app application website site page url domain campaign topic source stream"
              + " endpoint api tenant hashtag");

  private static final Set<String> TRACE = ColumnWords.set("trace traceid span spanid");

  /** What people do without counting: a thousand times a day. */
  private static final Set<String> DONE =
      ColumnWords.set("event activity action click pageview log");

  /** Few rows: what happens to a machine seldom, and what sums up its rows. */
  private static final Set<String> FEW_ROWS =
      ColumnWords.set(
          "daily hourly weekly monthly yearly summary rollup aggregate aggregated stat statistic"
              + " statistics latest last current average avg snapshot alert alarm incident"
              + " maintenance repair config configuration setting command firmware assignment"
              + " registration state status version owner session trip job order");

  /** What ends, and its partition with it. */
  private static final Set<String> BOUNDED =
      ColumnWords.set("trip session run job batch order ride");

  @Override
  public String name() {
    return "time-series-without-bucket";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    TableWords words = TableWords.of(table);
    if (review.isView()
        || table.isCounter()
        || table.isCompact()
        || words.hasAny(FEW_ROWS)
        || isDivided(review.partitionKey())
        || !isInOrderOfTime(review.clustering(), words)) {
      return;
    }
    boolean ofService = isOfService(table, words);
    if (!ofService && !isFast(review.partitionKey(), words)) {
      return;
    }
    double life = table.options().defaultTimeToLiveSeconds() / SECONDS_A_DAY;
    Growth busy = growth(table, ofService ? OF_A_SERVICE : A_MINUTE);
    if (life == 0 || busy.bytesAfter(life) > Growth.MOST_BYTES) {
      speak(review, life);
    }
  }

  /** A number beside something else may be the number of a bucket, whatever it is called. */
  private static boolean isDivided(List<ColumnSchema> key) {
    return key.stream()
        .anyMatch(
            each ->
                Traits.isBucket(each)
                    || Traits.isTime(each) && !Traits.isUnique(each.type())
                    || Traits.words(each).hasAny(BOUNDED)
                    || key.size() > 1 && Traits.isNumber(each) && !Traits.isIdentifier(each));
  }

  /** Whether the rows are in the order of time, be it by bucket or by metric. */
  private static boolean isInOrderOfTime(List<ColumnSchema> clustering, TableWords table) {
    for (ColumnSchema column : clustering) {
      if (Traits.isMoment(column, table)) {
        return true;
      }
      if (!Traits.isBucket(column) && !has(List.of(column), MACHINE)) {
        return false;
      }
    }
    return false;
  }

  private static boolean isOfService(TableSchema table, TableWords words) {
    return has(table.partitionKey(), SERVICE)
        && table.partitionKey().stream().noneMatch(Traits::isPerson)
        && (EVENT.contains(words.noun()) || has(table.columns(), TRACE));
  }

  private static boolean isFast(List<ColumnSchema> key, TableWords table) {
    if (key.stream().anyMatch(Traits::isPerson)) {
      return key.size() == 1 && (MEASURED.contains(table.noun()) || DONE.contains(table.noun()));
    }
    return has(key, MACHINE) || SERIES.contains(table.noun());
  }

  private static boolean has(List<ColumnSchema> key, Set<String> words) {
    return key.stream()
        .anyMatch(each -> Traits.words(each).entity().stream().anyMatch(words::contains));
  }

  private static Growth growth(TableSchema table, double rowsADay) {
    return new Growth(rowsADay, RowSize.ofRow(table), RowSize.cellsOfRow(table));
  }

  private void speak(Review review, double life) {
    TableSchema table = review.table();
    Growth slow = growth(table, A_MINUTE);
    Growth fast = growth(table, A_SECOND);
    String text =
        "A partition of "
            + table.cqlName()
            + " takes the rows of one "
            + Traits.names(review.partitionKey())
            + (life == 0 ? " for ever" : " for " + Growth.duration(life))
            + ". With rows of about "
            + slow.rowBytes()
            + " bytes it passes 100,000 cells after "
            + Growth.duration(slow.daysToCells())
            + " at a row a minute and after "
            + Growth.duration(fast.daysToCells())
            + " at a row a second, and 100 MB after "
            + Growth.duration(slow.daysToBytes())
            + " and "
            + Growth.duration(fast.daysToBytes())
            + "; from then on compactions and repairs of it hurt.";
    if (life > 0) {
      text +=
          " At 100 rows a second it is "
              + Growth.size(growth(table, OF_A_SERVICE).bytesAfter(life))
              + " before the first row expires.";
    }
    review.found(this, text, divided(table).toCql());
  }

  /** With the bucket that sorts the rows in the partition key, or with a new one. */
  private static Draft divided(TableSchema table) {
    Draft draft = Draft.of(table);
    Optional<ColumnSchema> sorting =
        table.clusteringColumns().stream().filter(Traits::isBucket).findFirst();
    if (sorting.isPresent() && !Traits.isTime(sorting.get())) {
      return draft.partitionedAlsoBy(sorting.get().name());
    }
    boolean slow = table.partitionKey().stream().anyMatch(Traits::isPerson);
    return draft.partitionedAlsoByNew(slow ? "month" : "day", "date");
  }
}
