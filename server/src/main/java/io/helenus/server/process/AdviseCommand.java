package io.helenus.server.process;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.modelling.HtmlReport;
import io.helenus.server.modelling.JsonReport;
import io.helenus.server.modelling.Report;
import io.helenus.server.modelling.SarifReport;
import io.helenus.server.modelling.Script;
import io.helenus.server.modelling.ScriptAdvisor;
import io.helenus.server.modelling.ScriptException;
import io.helenus.server.modelling.TextReport;
import io.helenus.server.node.Version;
import io.helenus.server.schema.Schema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import io.helenus.storage.env.SystemRandomness;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code helenus advise}: reads files, and prints what {@code modelling} says. Stateless. */
final class AdviseCommand {
  static final String NAME = "advise";
  private static final int ADVICE = 1;
  private static final int USAGE_COLUMNS = 100;

  private AdviseCommand() {}

  /** The forms of the output. */
  enum Format {
    TEXT,
    JSON,
    SARIF,
    HTML
  }

  /**
   * The arguments.
   *
   * @param schema the file with the definitions; null if a node has them
   * @param queries the file with the queries; null if there is none
   * @param log a log with statements; null if there is none
   * @param node a running node; null if there is none
   * @param output the file to write; null for the standard output
   */
  record Request(
      @Nullable String schema,
      @Nullable String queries,
      @Nullable String log,
      @Nullable String node,
      Format format,
      @Nullable String output) {}

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis("helenus advise [OPTION]... [SCHEMA [QUERIES]]")
        .description(
            "Judges a schema and its queries without a server: which table serves each query, which"
                + " tables would serve the rest, how partitions grow at the rates that comments"
                + " state ('-- rate: 200/day per user_id, rows of 1 KB' before a CREATE TABLE), and"
                + " what the rules in docs/advice say. See docs/modelling.md. Exit code 0 if"
                + " nothing is to be done, 1 if there is advice or a query without a table, 2 if"
                + " the arguments or files cannot be read.",
            "");
    spec.addPositional(file("SCHEMA", 0, "a CQL script with the definitions"));
    spec.addPositional(
        file("QUERIES", 1, "a CQL script with the queries; a comment before one names it"));
    spec.addOption(
        OptionSpec.builder("--log")
            .paramLabel("FILE")
            .type(String.class)
            .description(
                "queries from a log: those that the server's log names as slow, or statements that"
                    + " end in semicolons")
            .build());
    spec.addOption(
        OptionSpec.builder("--node")
            .paramLabel("HOST[:PORT]")
            .type(String.class)
            .description(
                "the schema, unless SCHEMA is given, and the prepared statements of a running node"
                    + " without passwords")
            .build());
    spec.addOption(
        OptionSpec.builder("--format")
            .paramLabel("FORMAT")
            .type(String.class)
            .completionCandidates(Arrays.stream(Format.values()).map(AdviseCommand::lower).toList())
            .description("text, json, sarif (for code review) or html; default text")
            .build());
    spec.addOption(
        OptionSpec.builder("--output")
            .paramLabel("FILE")
            .type(String.class)
            .description("the file to write; default the standard output")
            .build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("this text").build());
    return spec;
  }

  private static PositionalParamSpec file(String label, int index, String description) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .index(String.valueOf(index))
        .arity("0..1")
        .type(String.class)
        .description(description)
        .build();
  }

  private static String lower(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }

  /** The action of a command line. */
  static Arguments.Outcome read(ParseResult result) {
    if (!result.hasMatchedPositional(0) && !result.hasMatchedOption("--node")) {
      throw new CommandLine.ParameterException(
          result.commandSpec().commandLine(), "advise needs SCHEMA, or --node HOST");
    }
    String name = result.matchedOptionValue("--format", lower(Format.TEXT));
    for (Format each : Format.values()) {
      if (lower(each).equals(name)) {
        return new Arguments.Outcome.Advise(
            new Request(
                result.matchedPositionalValue(0, null),
                result.matchedPositionalValue(1, null),
                result.matchedOptionValue("--log", null),
                result.matchedOptionValue("--node", null),
                each,
                result.matchedOptionValue("--output", null)));
      }
    }
    throw new CommandLine.ParameterException(
        result.commandSpec().commandLine(),
        "unknown format '" + name + "'; advise writes text, json, sarif or html");
  }

  /**
   * Judges, and prints the report.
   *
   * @param folder what relative paths begin at
   * @return the exit code
   */
  static int run(Request request, Path folder, PrintStream out, PrintStream err) {
    try {
      Report report = report(request, folder);
      write(written(report, request.format()), request.output(), folder, out);
      return report.hasWarnings() ? ADVICE : 0;
    } catch (ScriptException e) {
      err.println(e.getMessage());
    } catch (IOException e) {
      err.println("helenus: " + e.getMessage());
    }
    return Commands.USAGE_ERROR;
  }

  private static Report report(Request request, Path folder) throws IOException, ScriptException {
    List<Script> queries = new ArrayList<>();
    Script schema = request.schema() == null ? null : script(folder, request.schema());
    if (request.node() != null) {
      NodeScripts node = NodeScripts.of(request.node());
      schema = schema == null ? node.schema() : schema;
      queries.add(node.prepared());
    }
    if (request.queries() != null) {
      queries.add(script(folder, request.queries()));
    }
    return ScriptAdvisor.advise(
        Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
        new FunctionContext(new SystemClock(), new SystemRandomness()),
        Objects.requireNonNull(schema, "read() has made sure"),
        queries,
        request.log() == null ? null : script(folder, request.log()));
  }

  private static Script script(Path folder, String file) throws IOException {
    try {
      return new Script(file, Files.readString(folder.resolve(file)));
    } catch (NoSuchFileException e) {
      throw new IOException("cannot read " + file + ": no such file", e);
    } catch (CharacterCodingException e) {
      throw new IOException("cannot read " + file + ": it is not a text in UTF-8", e);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static String written(Report report, Format format) {
    return switch (format) {
      case TEXT -> TextReport.of(report);
      case JSON -> JsonReport.of(report);
      case SARIF -> SarifReport.of(report, Version.TEXT);
      case HTML -> HtmlReport.of(report);
    };
  }

  private static void write(String text, @Nullable String file, Path folder, PrintStream out)
      throws IOException {
    if (file != null) {
      try {
        Files.writeString(folder.resolve(file), text);
      } catch (IOException e) {
        throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
      }
    } else {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.write(bytes, 0, bytes.length);
      out.flush();
    }
  }
}
