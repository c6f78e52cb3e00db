package io.helenus.server.modelling;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The findings of a report as SARIF 2.1.0, which tools for code review show. Stateless. */
public final class SarifReport {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final Set<String> OWN = Set.of(Findings.UNSERVED, Findings.UNREAD, Findings.LARGE);

  private SarifReport() {}

  /**
   * Writes a report: one document, with a line feed at its end.
   *
   * @param version of Helenus
   */
  public static String of(Report report, String version) {
    Set<String> names = new TreeSet<>();
    report.findings().forEach(each -> names.add(each.rule()));
    List<String> rules = new ArrayList<>(names);
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty(
          "$schema",
          "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
      json.writeStringProperty("version", "2.1.0");
      json.writeArrayPropertyStart("runs");
      json.writeStartObject();
      tool(json, rules, version);
      json.writeArrayPropertyStart("results");
      report.findings().forEach(each -> result(json, each, rules.indexOf(each.rule())));
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    }
    return out + "\n";
  }

  private static void tool(JsonGenerator json, List<String> rules, String version) {
    json.writeObjectPropertyStart("tool");
    json.writeObjectPropertyStart("driver");
    json.writeStringProperty("name", "helenus advise");
    json.writeStringProperty("version", version);
    json.writeArrayPropertyStart("rules");
    for (String rule : rules) {
      json.writeStartObject();
      json.writeStringProperty("id", rule);
      json.writeObjectPropertyStart("help");
      json.writeStringProperty(
          "text",
          OWN.contains(rule) ? "See docs/modelling.md." : "See docs/advice/" + rule + ".md.");
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void result(JsonGenerator json, Report.Finding finding, int rule) {
    json.writeStartObject();
    json.writeStringProperty("ruleId", finding.rule());
    json.writeNumberProperty("ruleIndex", rule);
    json.writeStringProperty("level", finding.level().name().toLowerCase(Locale.ROOT));
    json.writeObjectPropertyStart("message");
    json.writeStringProperty(
        "text",
        finding.instead().isEmpty()
            ? finding.message()
            : finding.message() + "\n\nInstead:\n" + finding.instead());
    json.writeEndObject();
    json.writeArrayPropertyStart("locations");
    json.writeStartObject();
    json.writeObjectPropertyStart("physicalLocation");
    json.writeObjectPropertyStart("artifactLocation");
    json.writeStringProperty("uri", uri(finding.file()));
    json.writeEndObject();
    json.writeObjectPropertyStart("region");
    json.writeNumberProperty("startLine", finding.line());
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  /** A path as a reference, relative unless the path is absolute. */
  private static String uri(String file) {
    StringBuilder uri = new StringBuilder();
    for (byte each : file.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xFF);
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "/-._~".indexOf(c) >= 0);
      uri.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
    }
    return uri.toString();
  }
}
