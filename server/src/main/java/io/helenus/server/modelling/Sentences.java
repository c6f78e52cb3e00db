package io.helenus.server.modelling;

import io.helenus.server.advice.Growth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the reports say in the same words. Stateless. */
final class Sentences {
  private Sentences() {}

  /** What a partition grows to. */
  static String growth(PartitionSize size) {
    String full =
        Growth.size(size.bytes())
            + " and "
            + String.format(Locale.ROOT, "%,d", Math.round(size.cells()))
            + " cells "
            + (size.days() <= PartitionSize.HORIZON_DAYS
                ? "by the time " + size.until() + " (" + Growth.duration(size.days()) + ")"
                : "after a year");
    String text = "at " + size.rate().text() + ": " + full;
    if (size.isTooLarge()) {
      text += "; " + Findings.passes(size.growth());
    }
    if (!size.dividing().isEmpty()) {
      text +=
          " at most, as it is not stated how "
              + String.join(" and ", size.dividing())
              + (size.dividing().size() == 1 ? " divides" : " divide")
              + " that among partitions";
    }
    return text;
  }

  /** The partition of a table. */
  static String partition(Report.Table table) {
    return table.size() == null ? table.unsized() : growth(table.size());
  }

  /** One line about all. */
  static String summary(Report report) {
    List<String> parts = new ArrayList<>();
    parts.add(count(report.tables().size(), "table", "tables"));
    if (report.hasQueries()) {
      long refused =
          report.queries().stream()
              .filter(each -> each.verdict() instanceof Verdict.Refused)
              .count();
      long unread =
          report.queries().stream()
              .filter(each -> each.verdict() instanceof Verdict.Unread)
              .count();
      parts.add(
          count(report.queries().size(), "query", "queries")
              + (refused == 0 ? ", all served" : ", " + refused + " not served")
              + (unread == 0 ? "" : ", " + unread + " not judged"));
      long idle = report.tables().stream().filter(each -> each.reads().isEmpty()).count();
      if (idle > 0) {
        parts.add(count((int) idle, "table", "tables") + " that no query reads");
      }
    }
    long warnings =
        report.findings().stream().filter(each -> each.level() == Report.Level.WARNING).count();
    parts.add(count((int) warnings, "warning", "warnings"));
    return String.join("; ", parts);
  }

  /** Which queries read a table, as a sentence. */
  static String readers(Report.Table table, Report report) {
    if (!table.reads().isEmpty()) {
      return "Read by " + String.join(", ", table.reads()) + ".";
    }
    List<String> refused =
        report.queries().stream()
            .filter(each -> each.table().equals(table.name()) && each.query().select() != null)
            .map(each -> each.query().place())
            .toList();
    return refused.isEmpty()
        ? "No query reads it."
        : "Asked only by what it does not serve: " + String.join(", ", refused) + ".";
  }

  /** The title of a query or, without one, its text. */
  static String title(Query query) {
    return query.title().isEmpty() ? query.text() : query.title();
  }

  static String count(int number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }
}
