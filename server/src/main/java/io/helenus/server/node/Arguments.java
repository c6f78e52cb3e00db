package io.helenus.server.node;

import io.helenus.server.config.ConfigException;
import io.helenus.server.config.ConfigFile;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The command line. Well-formed options are read by a plain loop, which costs a start nothing; help
 * and mistakes are picocli's.
 */
final class Arguments {
  private static final int USAGE_ERROR = 2;

  private static final int USAGE_COLUMNS = 100;
  private static final String VERIFY = "verify";

  private @Nullable String config;
  private boolean verify;
  private final List<String[]> settings = new ArrayList<>();

  private Arguments() {}

  /**
   * What the command line asks for: settings to run with, or an exit code because all has been
   * said.
   */
  sealed interface Outcome {
    /** Run a node. */
    record Run(Settings settings) implements Outcome {}

    /** Check the files of a node that does not run. */
    record Verify(Settings settings) implements Outcome {}

    /** Leave with this code. */
    record Exit(int code) implements Outcome {}
  }

  static Outcome read(String[] args, PrintStream out, PrintStream err) {
    Arguments arguments = new Arguments();
    if (!arguments.take(args)) {
      return explain(args, out, err);
    }
    try {
      Settings settings = arguments.settings();
      return arguments.verify ? new Outcome.Verify(settings) : new Outcome.Run(settings);
    } catch (ConfigException e) {
      err.println("helenus: " + e.getMessage());
    } catch (NoSuchFileException e) {
      err.println("helenus: cannot read " + arguments.config + ": there is no such file");
    } catch (IOException e) {
      err.println("helenus: cannot read " + arguments.config + ": " + e.getMessage());
    }
    return new Outcome.Exit(USAGE_ERROR);
  }

  private boolean take(String[] args) {
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals(VERIFY) && !verify) {
        verify = true;
        continue;
      }
      String value = null;
      int equals = option.startsWith("--") ? option.indexOf('=') : -1;
      if (equals > 0) {
        value = option.substring(equals + 1);
        option = option.substring(0, equals);
      } else if (option.startsWith("-D") && option.length() > 2) {
        value = option.substring(2);
        option = "-D";
      } else if (i + 1 < args.length) {
        value = args[++i];
      }
      if (value == null || !takeOption(option, value)) {
        return false;
      }
    }
    return true;
  }

  private boolean takeOption(String option, String value) {
    switch (option) {
      case "--config" -> config = value;
      case "--data" -> settings.add(new String[] {option, Setting.DATA_DIRECTORY.name(), value});
      case "--listen" -> settings.add(new String[] {option, Setting.RPC_ADDRESS.name(), value});
      case "--port" ->
          settings.add(new String[] {option, Setting.NATIVE_TRANSPORT_PORT.name(), value});
      case "-D" -> {
        int equals = value.indexOf('=');
        if (equals < 1) {
          return false;
        }
        String key = value.substring(0, equals);
        settings.add(new String[] {"-D" + key, key, value.substring(equals + 1)});
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private Settings settings() throws ConfigException, IOException {
    Settings.Builder builder = new Settings.Builder();
    if (config != null) {
      ConfigFile.read(config, Files.readString(Path.of(config)), builder);
    }
    for (String[] setting : settings) {
      builder.set(setting[0], setting[1], setting[2]);
    }
    return builder.build();
  }

  private static Outcome explain(String[] args, PrintStream out, PrintStream err) {
    CommandSpec spec = specification();
    CommandLine line = new CommandLine(spec);
    try {
      CommandLine.ParseResult result = line.parseArgs(args);
      if (result.isVersionHelpRequested()) {
        out.println(
            "Helenus " + Version.TEXT + " (CQL " + Version.CQL + ", native protocol 3 to 5)");
        return new Outcome.Exit(0);
      }
      if (result.isUsageHelpRequested()) {
        spec.parser().separator(" ");
        line.usage(out);
        return new Outcome.Exit(0);
      }
      List<String> commands = result.matchedPositionalValue(0, List.of());
      err.println(
          commands.isEmpty() || commands.equals(List.of(VERIFY))
              ? "helenus: -D needs key=value"
              : "helenus: '"
                  + String.join(" ", commands)
                  + "' is no command; there is one, verify");
    } catch (CommandLine.ParameterException e) {
      err.println("helenus: " + e.getMessage());
    }
    err.println("Try 'helenus --help'.");
    return new Outcome.Exit(USAGE_ERROR);
  }

  private static CommandSpec specification() {
    CommandSpec spec = CommandSpec.create().name("helenus");
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis(
            "helenus [OPTION]...           run a node",
            "       helenus verify [OPTION]...    check the files of a node that is stopped")
        .description(
            "",
            "Runs a Helenus node in the foreground: a database that speaks CQL, the language and"
                + " protocol of Apache Cassandra. It listens on 127.0.0.1:9042 and keeps its data"
                + " under ./data, until SIGTERM or Ctrl-C.",
            "");
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel(VERIFY)
            .hideParamSyntax(true)
            .arity("0..1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(
                "reads every file in the data folder, changes nothing, and lists each damaged"
                    + " place; exit code 1 if there are any")
            .build());
    spec.addOption(
        option("--config", "FILE", "configuration; default conf/helenus.yaml of the installation"));
    spec.addOption(option("--data", "DIR", "folder of everything durable; default ./data"));
    spec.addOption(option("--port", "N", "port that clients connect to; default 9042"));
    spec.addOption(
        option("--listen", "ADDRESS", "address that clients connect to; default 127.0.0.1"));
    spec.addOption(
        OptionSpec.builder("-D")
            .paramLabel("key=value")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("any key of helenus.yaml; wins over the file")
            .build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("this text").build());
    spec.addOption(
        OptionSpec.builder("-V", "--version").versionHelp(true).description("the version").build());
    return spec;
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }
}
