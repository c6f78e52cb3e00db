package io.helenus.server.modelling;

import io.helenus.server.advice.Advice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report as one HTML page, which requests nothing from elsewhere. Stateless. */
public final class HtmlReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1b2330; --faint: #5a6676; --page: #f6f7f9;
        --card: #fff; --edge: #d9dee5; --bad: #b3261e; --good: #1a6b3c; --bytes: #1f5fbf;
        --cells: #b35900; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e4e8ee; --faint: #9aa6b5; --page: #14181e; --card: #1d232b;
          --edge: #343d49; --bad: #ff8a80; --good: #7ad79d; --bytes: #82b1ff; --cells: #ffb26b; }
      }
      * { box-sizing: border-box; }
      body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--page);
        color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      h1 { font-size: 1.4rem; margin: 0.5rem 0; }
      h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
      h3 { font-size: 1rem; margin: 0; }
      p { margin: 0.4rem 0; }
      article { background: var(--card); border: 1px solid var(--edge); border-radius: 8px;
        padding: 0.8rem 1rem; margin: 0.7rem 0; }
      pre { background: var(--page); border: 1px solid var(--edge); border-radius: 6px;
        padding: 0.6rem; margin: 0.5rem 0; overflow-x: auto; font-size: 0.85rem; }
      pre.wrap { white-space: pre-wrap; }
      code { font-size: 0.9em; }
      .place { color: var(--faint); font-size: 0.85rem; }
      .bad { color: var(--bad); font-weight: 600; }
      .good { color: var(--good); font-weight: 600; }
      a { color: inherit; }
      nav a { display: inline-block; margin-right: 1rem; padding: 0.3rem 0; }
      svg { display: block; width: 100%; max-width: 34rem; height: auto; }
      svg text { fill: var(--faint); font-size: 11px; }
      .grid { stroke: var(--edge); }
      .limit { stroke: var(--bad); stroke-width: 1.5; }
      polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
      .bytes { stroke: var(--bytes); }
      .cells { stroke: var(--cells); stroke-dasharray: 6 4; }
      .key { font-size: 0.85rem; color: var(--faint); }
      .key svg { display: inline-block; width: 2rem; height: 0.6rem; }
      """;

  private final StringBuilder out = new StringBuilder();

  private HtmlReport() {}

  /** Writes a report. */
  public static String of(Report report) {
    HtmlReport html = new HtmlReport();
    html.head(report);
    html.refused(report.queries());
    html.proposals(report.proposals());
    html.tables(report);
    html.queries(report.queries());
    html.out.append("</main>\n</body>\n</html>\n");
    return html.out.toString();
  }

  /** A text as it is written in HTML, also in an attribute. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private void head(Report report) {
    String title = "Advice on " + escaped(report.schema());
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    out.append("style-src 'unsafe-inline'; img-src data:\">\n");
    out.append("<link rel=\"icon\" href=\"data:,\">\n");
    out.append("<title>").append(title).append("</title>\n");
    out.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n<main>\n");
    out.append("<h1>").append(title).append("</h1>\n");
    paragraph(report.hasWarnings() ? "bad" : "good", Sentences.summary(report));
    out.append("<nav>");
    if (report.queries().stream().anyMatch(each -> each.verdict() instanceof Verdict.Refused)) {
      out.append("<a href=\"#unserved\">Queries that are not served</a>");
    }
    if (!report.proposals().isEmpty()) {
      out.append("<a href=\"#proposed\">Proposed tables</a>");
    }
    out.append("<a href=\"#tables\">Tables</a>");
    if (report.hasQueries()) {
      out.append("<a href=\"#queries\">Queries</a>");
    }
    out.append("</nav>\n");
  }

  private void refused(List<Report.Judged> queries) {
    boolean first = true;
    for (Report.Judged each : queries) {
      if (!(each.verdict() instanceof Verdict.Refused refused)) {
        continue;
      }
      if (first) {
        heading("unserved", "Queries that are not served");
        first = false;
      }
      article(title(each.query()), each.query());
      statement(each.query().text());
      paragraph("", "The server says: " + refused.error());
      for (String elsewhere : refused.elsewhere()) {
        paragraph("good", "Another table serves it:");
        statement(elsewhere);
      }
      if (!refused.proposal().isEmpty()) {
        out.append("<p class=\"good\">With the proposed table <a href=\"#")
            .append(escaped(refused.proposal()))
            .append("\">")
            .append(escaped(refused.proposal()))
            .append("</a>:</p>\n");
        statement(refused.instead());
      } else if (!refused.why().isEmpty()) {
        paragraph("", "No table is proposed: " + refused.why() + ".");
      }
      out.append("</article>\n");
    }
  }

  private void proposals(List<Report.Proposal> proposals) {
    if (!proposals.isEmpty()) {
      heading("proposed", "Proposed tables");
    }
    for (Report.Proposal each : proposals) {
      article(each.name(), null);
      place("for " + String.join(", ", each.queries()));
      definition(each.definition());
      growth(each.size(), "");
      each.notes().forEach(note -> paragraph("", "Note: " + note + "."));
      out.append("</article>\n");
    }
  }

  private void tables(Report report) {
    heading("tables", "Tables");
    for (Report.Table each : report.tables()) {
      article(each.name(), null);
      place(each.file() + ":" + each.line());
      out.append("<p>Key <code>(").append(escaped(each.key())).append(")</code></p>\n");
      if (report.hasQueries()) {
        paragraph("", Sentences.readers(each, report));
      }
      if (!each.writes().isEmpty()) {
        paragraph("", "Written by " + String.join(", ", each.writes()) + ".");
      }
      growth(each.size(), each.unsized());
      if (!each.divided().isEmpty()) {
        paragraph("", "With a bucket, partitions stay below the limits:");
        definition(each.divided());
        each.notes().forEach(note -> paragraph("", "Note: " + note + "."));
      }
      each.advice().forEach(this::advice);
      out.append("</article>\n");
    }
  }

  private void advice(Advice advice) {
    out.append("<p><span class=\"bad\">").append(escaped(advice.rule())).append("</span> ");
    out.append(escaped(advice.problem())).append("</p>\n");
    if (!advice.instead().isEmpty()) {
      statement(advice.instead());
    }
  }

  private void growth(@Nullable PartitionSize size, String unsized) {
    if (size == null) {
      if (!unsized.isEmpty()) {
        paragraph("", "Partition: " + unsized + ".");
      }
      return;
    }
    paragraph(size.isTooLarge() ? "bad" : "", "Partition: " + Sentences.growth(size) + ".");
    out.append(GrowthPlot.of(size));
    out.append("<p class=\"key\">")
        .append(sample("bytes"))
        .append(" bytes &emsp; ")
        .append(sample("cells"))
        .append(" cells</p>\n");
  }

  private static String sample(String kind) {
    return "<svg viewBox=\"0 0 32 10\" aria-hidden=\"true\"><polyline class=\""
        + kind
        + "\" points=\"0,5 32,5\"/></svg>";
  }

  private void queries(List<Report.Judged> queries) {
    if (!queries.isEmpty()) {
      heading("queries", "Queries");
    }
    for (Report.Judged each : queries) {
      article(title(each.query()), each.query());
      if (!each.query().title().isEmpty()) {
        statement(each.query().text());
      }
      switch (each.verdict()) {
        case Verdict.Served served -> {
          paragraph(
              "good",
              (each.query().select() == null ? "Writes " : "Served by ") + each.table() + ".");
          served.notes().forEach(note -> paragraph("", "Note: " + note + "."));
        }
        case Verdict.Refused ignored -> paragraph("bad", "Not served.");
        case Verdict.Unread unread -> paragraph("", "Not judged: " + unread.reason());
      }
      out.append("</article>\n");
    }
  }

  private static String title(Query query) {
    return Sentences.title(query);
  }

  private void heading(String id, String text) {
    out.append("<h2 id=\"").append(id).append("\">").append(text).append("</h2>\n");
  }

  private void article(String title, @Nullable Query query) {
    out.append(query == null ? "<article id=\"" + escaped(title) + "\">\n<h3>" : "<article>\n<h3>")
        .append(escaped(title))
        .append("</h3>\n");
    if (query != null) {
      place(query.place() + (query.times() > 1 ? ", " + query.times() + " times" : ""));
    }
  }

  private void place(String text) {
    paragraph("place", text);
  }

  private void statement(String text) {
    out.append("<pre class=\"wrap\">").append(escaped(text)).append("</pre>\n");
  }

  private void definition(String text) {
    out.append("<pre>").append(escaped(text)).append("</pre>\n");
  }

  private void paragraph(String kind, String text) {
    out.append(kind.isEmpty() ? "<p>" : "<p class=\"" + kind + "\">");
    out.append(escaped(text)).append("</p>\n");
  }
}
