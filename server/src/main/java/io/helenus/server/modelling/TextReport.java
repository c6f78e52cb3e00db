package io.helenus.server.modelling;

import io.helenus.server.advice.Advice;
import java.util.List;

/** A report for a terminal: what is to be done first, then the rest. Stateless. */
public final class TextReport {
  private static final int COLUMNS = 100;

  private final StringBuilder out = new StringBuilder();

  private TextReport() {}

  /** Writes a report. */
  public static String of(Report report) {
    TextReport text = new TextReport();
    text.line(0, report.schema() + ": " + Sentences.summary(report));
    text.refused(report);
    text.proposals(report.proposals());
    text.tables(report);
    text.queries(report.queries());
    return text.out.toString();
  }

  private void refused(Report report) {
    boolean first = true;
    for (Report.Judged each : report.queries()) {
      if (!(each.verdict() instanceof Verdict.Refused refused)) {
        continue;
      }
      if (first) {
        heading("Queries that are not served");
        first = false;
      } else {
        out.append('\n');
      }
      line(
          2,
          place(each.query())
              + (each.query().title().isEmpty() ? "" : ": " + each.query().title()));
      line(4, each.query().text());
      line(4, "The server says: " + refused.error());
      for (String elsewhere : refused.elsewhere()) {
        line(4, "Another table serves it: " + elsewhere);
      }
      if (!refused.proposal().isEmpty()) {
        line(4, "With the table " + refused.proposal() + ", proposed below: " + refused.instead());
      } else if (!refused.why().isEmpty()) {
        line(4, "No table is proposed: " + refused.why() + ".");
      }
    }
  }

  private void proposals(List<Report.Proposal> proposals) {
    if (proposals.isEmpty()) {
      return;
    }
    heading("Proposed tables");
    boolean first = true;
    for (Report.Proposal each : proposals) {
      if (!first) {
        out.append('\n');
      }
      first = false;
      line(2, each.name() + " for " + String.join(", ", each.queries()));
      block(each.definition());
      if (each.size() != null) {
        line(4, "Partition: " + Sentences.growth(each.size()) + ".");
      }
      each.notes().forEach(note -> line(4, "Note: " + note + "."));
    }
  }

  private void tables(Report report) {
    heading("Tables");
    boolean first = true;
    for (Report.Table each : report.tables()) {
      if (!first) {
        out.append('\n');
      }
      first = false;
      line(2, each.file() + ":" + each.line() + ": " + each.name() + ", key (" + each.key() + ")");
      if (report.hasQueries()) {
        line(4, Sentences.readers(each, report));
        if (!each.writes().isEmpty()) {
          line(4, "Written by " + String.join(", ", each.writes()) + ".");
        }
      }
      line(4, "Partition: " + Sentences.partition(each) + ".");
      if (!each.divided().isEmpty()) {
        line(4, "With a bucket, partitions stay below the limits:");
        block(each.divided());
        each.notes().forEach(note -> line(4, "Note: " + note + "."));
      }
      each.advice().forEach(this::advice);
    }
  }

  private void advice(Advice advice) {
    line(4, "Warning: " + advice.rule() + ": " + advice.problem());
    if (!advice.instead().isEmpty()) {
      line(6, "Instead: " + advice.instead());
    }
  }

  private void queries(List<Report.Judged> queries) {
    if (queries.isEmpty()) {
      return;
    }
    heading("Queries");
    for (Report.Judged each : queries) {
      String result =
          switch (each.verdict()) {
            case Verdict.Served served ->
                (each.query().select() == null ? "writes " : "served by ")
                    + each.table()
                    + (served.notes().isEmpty() ? "" : "; " + String.join("; ", served.notes()));
            case Verdict.Refused refused ->
                "not served" + (refused.proposal().isEmpty() ? "" : "; see " + refused.proposal());
            case Verdict.Unread unread -> "not judged: " + unread.reason();
          };
      line(2, place(each.query()) + ": " + Sentences.title(each.query()));
      line(4, result);
    }
  }

  private static String place(Query query) {
    return query.place() + (query.times() > 1 ? " (" + query.times() + " times)" : "");
  }

  private void heading(String text) {
    out.append('\n').append(text).append('\n');
  }

  private void block(String statement) {
    statement.lines().forEach(each -> out.append("      ").append(each).append('\n'));
  }

  /** A text that is broken at blanks; what follows is indented further. */
  private void line(int indent, String text) {
    String margin = " ".repeat(indent);
    int width = COLUMNS - indent;
    String rest = text;
    while (rest.length() > width) {
      int at = rest.lastIndexOf(' ', width);
      if (at <= 0) {
        at = rest.indexOf(' ', width);
        if (at < 0) {
          break;
        }
      }
      out.append(margin).append(rest, 0, at).append('\n');
      rest = rest.substring(at + 1);
      margin = " ".repeat(indent + 2);
      width = COLUMNS - indent - 2;
    }
    out.append(margin).append(rest).append('\n');
  }
}
