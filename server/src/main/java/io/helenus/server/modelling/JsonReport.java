package io.helenus.server.modelling;

import io.helenus.server.advice.Growth;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A report for programs. Its fields are described in {@code docs/modelling.md}. Stateless. */
public final class JsonReport {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonReport() {}

  /** Writes a report: one document, with a line feed at its end. */
  public static String of(Report report) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("schema", report.schema());
      json.writeArrayPropertyStart("tables");
      report.tables().forEach(each -> table(json, each));
      json.writeEndArray();
      json.writeArrayPropertyStart("queries");
      report.queries().forEach(each -> query(json, each));
      json.writeEndArray();
      json.writeArrayPropertyStart("proposals");
      report.proposals().forEach(each -> proposal(json, each));
      json.writeEndArray();
      json.writeArrayPropertyStart("findings");
      report.findings().forEach(each -> finding(json, each));
      json.writeEndArray();
      json.writeEndObject();
    }
    return out + "\n";
  }

  private static void table(JsonGenerator json, Report.Table table) {
    json.writeStartObject();
    json.writeStringProperty("name", table.name());
    json.writeStringProperty("key", table.key());
    json.writeStringProperty("file", table.file());
    json.writeNumberProperty("line", table.line());
    strings(json, "reads", table.reads());
    strings(json, "writes", table.writes());
    size(json, table.size());
    if (table.size() == null) {
      json.writeStringProperty("unsized", table.unsized());
    }
    if (!table.divided().isEmpty()) {
      json.writeStringProperty("divided", table.divided());
      strings(json, "notes", table.notes());
    }
    json.writeEndObject();
  }

  private static void query(JsonGenerator json, Report.Judged judged) {
    Query query = judged.query();
    json.writeStartObject();
    json.writeStringProperty("file", query.file());
    json.writeNumberProperty("line", query.line());
    json.writeStringProperty("title", query.title());
    json.writeStringProperty("text", query.text());
    json.writeNumberProperty("times", query.times());
    json.writeStringProperty("table", judged.table());
    switch (judged.verdict()) {
      case Verdict.Served served -> {
        json.writeStringProperty("verdict", "served");
        strings(json, "notes", served.notes());
      }
      case Verdict.Refused refused -> {
        json.writeStringProperty("verdict", "refused");
        json.writeStringProperty("error", refused.error());
        strings(json, "elsewhere", refused.elsewhere());
        json.writeStringProperty("proposal", refused.proposal());
        json.writeStringProperty("instead", refused.instead());
        json.writeStringProperty("why", refused.why());
      }
      case Verdict.Unread unread -> {
        json.writeStringProperty("verdict", "unread");
        json.writeStringProperty("error", unread.reason());
      }
    }
    json.writeEndObject();
  }

  private static void proposal(JsonGenerator json, Report.Proposal proposal) {
    json.writeStartObject();
    json.writeStringProperty("name", proposal.name());
    json.writeStringProperty("definition", proposal.definition());
    strings(json, "queries", proposal.queries());
    size(json, proposal.size());
    strings(json, "notes", proposal.notes());
    json.writeEndObject();
  }

  private static void finding(JsonGenerator json, Report.Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("rule", finding.rule());
    json.writeStringProperty("level", finding.level().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("file", finding.file());
    json.writeNumberProperty("line", finding.line());
    json.writeStringProperty("message", finding.message());
    json.writeStringProperty("instead", finding.instead());
    json.writeEndObject();
  }

  private static void size(JsonGenerator json, @Nullable PartitionSize size) {
    if (size == null) {
      return;
    }
    Growth growth = size.growth();
    json.writeObjectPropertyStart("partition");
    json.writeStringProperty("rate", size.rate().text());
    json.writeNumberProperty("rows_a_day", growth.rowsADay());
    json.writeNumberProperty("row_bytes", growth.rowBytes());
    json.writeNumberProperty("row_cells", growth.rowCells());
    json.writeNumberProperty("days", size.grownDays());
    json.writeNumberProperty("bytes", Math.round(size.bytes()));
    json.writeNumberProperty("cells", Math.round(size.cells()));
    json.writeNumberProperty("days_to_limit", growth.daysToLimit());
    json.writeBooleanProperty("too_large", size.isTooLarge());
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }
}
