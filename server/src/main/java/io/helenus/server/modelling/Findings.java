package io.helenus.server.modelling;

import io.helenus.server.advice.Growth;
import io.helenus.server.modelling.Report.Finding;
import io.helenus.server.modelling.Report.Level;
import java.util.ArrayList;
import java.util.List;

/** Lists what is wrong. Stateless. */
final class Findings {
  /** A query that no table serves. */
  static final String UNSERVED = "unserved-query";

  /** A table that no query reads. */
  static final String UNREAD = "unread-table";

  /** Partitions that pass a limit. */
  static final String LARGE = "large-partition";

  private Findings() {}

  static List<Finding> of(
      List<Report.Table> tables, List<Report.Judged> queries, boolean hasQueries) {
    List<Finding> findings = new ArrayList<>();
    for (Report.Table table : tables) {
      table
          .advice()
          .forEach(
              each ->
                  findings.add(
                      new Finding(
                          each.rule(),
                          Level.WARNING,
                          table.file(),
                          table.line(),
                          each.problem(),
                          each.instead())));
      PartitionSize size = table.size();
      if (size != null && size.isTooLarge()) {
        findings.add(
            new Finding(
                LARGE,
                Level.WARNING,
                table.file(),
                table.line(),
                "A partition of " + table.name() + " " + passes(size.growth()) + ".",
                table.divided()));
      }
      if (hasQueries && table.reads().isEmpty()) {
        findings.add(
            new Finding(
                UNREAD,
                Level.NOTE,
                table.file(),
                table.line(),
                "No query reads " + table.name() + ".",
                ""));
      }
    }
    for (Report.Judged each : queries) {
      if (each.verdict() instanceof Verdict.Refused refused) {
        findings.add(
            new Finding(
                UNSERVED,
                Level.WARNING,
                each.query().file(),
                each.query().line(),
                message(each, refused),
                refused.elsewhere().isEmpty()
                    ? refused.instead()
                    : refused.elsewhere().getFirst()));
      }
    }
    return findings;
  }

  /** When a partition passes which limit. */
  static String passes(Growth growth) {
    boolean cells = growth.daysToLimit() < growth.daysToBytes();
    return "passes "
        + (cells ? "100,000 cells" : "100 MB")
        + " after "
        + Growth.duration(growth.daysToLimit());
  }

  private static String message(Report.Judged judged, Verdict.Refused refused) {
    String query = judged.query().title().isEmpty() ? "This query" : judged.query().title();
    StringBuilder message = new StringBuilder(query);
    message.append(judged.table().isEmpty() ? " has no table: " : " is not served by ");
    if (!judged.table().isEmpty()) {
      message.append(judged.table()).append(": ");
    }
    message.append(refused.error());
    if (!refused.elsewhere().isEmpty()) {
      message.append(" Another table serves it.");
    } else if (!refused.proposal().isEmpty()) {
      message.append(" The proposed table ").append(refused.proposal()).append(" would serve it.");
    } else if (!refused.why().isEmpty()) {
      message.append(" No table is proposed: ").append(refused.why()).append('.');
    }
    return message.toString();
  }
}
