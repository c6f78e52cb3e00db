package io.helenus.server.process;

import io.helenus.server.dump.Dump;
import io.helenus.server.node.Version;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Help, usage errors, and the commands other than starting a node; parsed by picocli. Stateless.
 */
public final class Commands {
  static final String VERIFY = "verify";
  static final int USAGE_ERROR = 2;
  private static final Set<String> BACKGROUND =
      Set.of("start", "stop", "status", "prepare", "version", "copy");
  private static final String DUMP = "dump";
  private static final String CLUSTER = "cluster";
  private static final int USAGE_COLUMNS = 100;

  private Commands() {}

  /** Parses a command line that does not start a node. */
  static Arguments.Outcome read(String[] args, PrintStream out, PrintStream err) {
    CommandLine line = new CommandLine(node());
    try {
      ParseResult result = line.parseArgs(args);
      ParseResult before = result;
      CommandLine chosen = line;
      if (result.hasSubcommand()) {
        result = result.subcommand();
        chosen = result.commandSpec().commandLine();
      }
      if (result.isVersionHelpRequested()) {
        out.println(
            "Helenus " + Version.TEXT + " (CQL " + Version.CQL + ", native protocol 3 to 5)");
        return new Arguments.Outcome.Exit(0);
      }
      if (result.isUsageHelpRequested()) {
        chosen.getCommandSpec().parser().separator(" ");
        chosen.usage(out);
        return new Arguments.Outcome.Exit(0);
      }
      if (result.commandSpec().name().equals(DUMP)) {
        return dump(result);
      }
      if (result.commandSpec().name().equals(AdviseCommand.NAME)) {
        return AdviseCommand.read(result);
      }
      if (result.commandSpec().name().equals(CLUSTER)) {
        return cluster(before, result, err);
      }
      err.println(
          BACKGROUND.contains(result.commandSpec().name())
              ? "helenus: bin/helenus runs this command"
              : "helenus: -D requires key=value");
    } catch (CommandLine.UnmatchedArgumentException e) {
      String first = e.getUnmatched().getFirst();
      err.println(
          e.isUnknownOption()
              ? "helenus: unknown option '" + first + "'"
              : "helenus: '" + first + "' is not a command; see helenus --help");
    } catch (CommandLine.ParameterException e) {
      err.println("helenus: " + e.getMessage());
    }
    err.println("Try 'helenus --help'.");
    return new Arguments.Outcome.Exit(USAGE_ERROR);
  }

  private static Arguments.Outcome dump(ParseResult result) {
    String kind = result.matchedPositionalValue(0, "");
    for (Dump.Kind each : Dump.Kind.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(kind)) {
        String file = result.matchedPositionalValue(1, "");
        boolean json = result.matchedOptionValue("--json", false);
        long limit = result.matchedOptionValue("--limit", Long.MAX_VALUE);
        return new Arguments.Outcome.Print(
            new Dump.Request(each, Path.of(file), json, Math.max(0, limit)));
      }
    }
    throw new CommandLine.ParameterException(
        result.commandSpec().commandLine(),
        "unknown kind of file '"
            + kind
            + "'; dump reads sstable, log, manifest,"
            + " metadata or timestamps");
  }

  private static Arguments.Outcome cluster(
      ParseResult before, ParseResult result, PrintStream err) {
    int nodes = result.matchedPositionalValue(0, ClusterPlan.DEFAULT_NODES);
    if (nodes < 1 || nodes > ClusterPlan.MOST_NODES) {
      err.println(
          "helenus: cluster starts 1 to " + ClusterPlan.MOST_NODES + " nodes, not " + nodes);
      return new Arguments.Outcome.Exit(USAGE_ERROR);
    }
    List<String> options = new ArrayList<>();
    String folder = ClusterPlan.DEFAULT_FOLDER;
    for (ParseResult each : List.of(before, result)) {
      for (String name : List.of("--config", "--port", "--listen", "--seeds")) {
        String value = each.matchedOptionValue(name, null);
        if (value != null) {
          options.addAll(List.of(name, value));
        }
      }
      List<String> keys = each.matchedOptionValue("-D", List.of());
      keys.forEach(key -> options.addAll(List.of("-D", key)));
      for (String key : keys) {
        if (key.indexOf('=') < 1) {
          err.println("helenus: -D requires key=value");
          return new Arguments.Outcome.Exit(USAGE_ERROR);
        }
      }
      folder = each.matchedOptionValue("--data", folder);
    }
    return Arguments.cluster(nodes, folder, options, err);
  }

  /** The whole command line, apart from the options of {@code copy}; also for shell completion. */
  public static CommandSpec node() {
    CommandSpec spec = CommandSpec.create().name("helenus");
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis(
            "helenus [OPTION]...                                run a node",
            "       helenus start|stop|status [OPTION]...              a node in the background",
            "       helenus cluster [OPTION]... [N]                    several nodes on this"
                + " machine",
            "       helenus verify [OPTION]...                         check a stopped node's"
                + " files",
            "       helenus dump [--json] [--limit N] KIND FILE        print a file's contents",
            "       helenus advise [OPTION]... [SCHEMA [QUERIES]]      judge a schema and its"
                + " queries",
            "       helenus copy --from HOST --to HOST KEYSPACE...     copy data between clusters")
        .description(
            "",
            "Runs a Helenus node in the foreground: a database that speaks CQL, the language and"
                + " protocol of Apache Cassandra. It listens on 127.0.0.1:9042 and keeps its data"
                + " under ./data, until SIGTERM or Ctrl-C.",
            "")
        .commandListHeading("%nCommands ('helenus COMMAND --help' explains each):%n");
    addNodeOptions(spec);
    spec.addOption(
        OptionSpec.builder("-V", "--version").versionHelp(true).description("the version").build());
    addBackground(
        spec,
        "start",
        "Starts a node in the background and returns when it serves clients. The log is appended to"
            + " helenus.log in the data folder. Exit code 1 if the node does not start.");
    addBackground(
        spec,
        "stop",
        "Stops the node that runs on the data folder, however it was started, and returns when it"
            + " has ended. Exit code 1 if none runs.");
    addBackground(
        spec,
        "status",
        "Tells whether a node runs on the data folder, however it was started. Exit code 3 if"
            + " not.");
    addBackground(
        spec,
        "prepare",
        "Creates the start-up cache and exits. Without it, the first start does so. For"
            + " installations whose files a node cannot write, such as an image.");
    addBackground(spec, "version", "Prints the version.");
    addBackground(
        spec,
        "copy",
        "Copies keyspaces or tables between clusters that speak CQL, with write times and TTLs, and"
            + " compares both sides.");
    spec.addSubcommand(CLUSTER, cluster());
    spec.addSubcommand(VERIFY, verify());
    spec.addSubcommand(DUMP, dump());
    spec.addSubcommand(AdviseCommand.NAME, AdviseCommand.spec());
    return spec;
  }

  /** A command that the launcher carries out; here only for help. */
  private static void addBackground(CommandSpec all, String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis("helenus " + name + " [OPTION]...")
        .description(description);
    addNodeOptions(spec);
    all.addSubcommand(name, spec);
  }

  private static CommandSpec verify() {
    CommandSpec spec = CommandSpec.create().name(VERIFY);
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis("helenus verify [OPTION]...")
        .description(
            "Reads every file in the data folder of a stopped node without changing it and lists"
                + " all damage. Exit code 1 if there is any.");
    addNodeOptions(spec);
    return spec;
  }

  private static CommandSpec cluster() {
    CommandSpec spec = CommandSpec.create().name(CLUSTER);
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis("helenus cluster [OPTION]... [N]")
        .description(
            "Runs a cluster of N nodes on this machine, on 127.0.0.1, 127.0.0.2 and so on, until"
                + " SIGTERM or Ctrl-C, which stops all of them. Each line of the log begins with"
                + " the name of its node. With the same data folder the cluster continues. The"
                + " nodes share the memory and the processors; options hold for each of them.",
            "");
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("N")
            .index("0")
            .arity("0..1")
            .type(Integer.class)
            .description(
                "how many nodes, 1 to "
                    + ClusterPlan.MOST_NODES
                    + "; default "
                    + ClusterPlan.DEFAULT_NODES)
            .build());
    spec.addOption(configOption());
    spec.addOption(
        option(
            "--data",
            "DIR",
            "folder of the data folders node1, node2 and so on; default ./"
                + ClusterPlan.DEFAULT_FOLDER));
    spec.addOption(option("--port", "N", "port that clients connect to; default 9042"));
    spec.addOption(keyOption());
    addHelp(spec);
    return spec;
  }

  private static CommandSpec dump() {
    CommandSpec spec = CommandSpec.create().name(DUMP);
    spec.usageMessage()
        .width(USAGE_COLUMNS)
        .customSynopsis("helenus dump [--json] [--limit N] KIND FILE")
        .description(
            "Prints the contents of one file of a data folder without changing it. If the metadata"
                + " log of the data folder is readable, tables and columns are shown by name and"
                + " values as CQL literals; otherwise as ids and bytes. A damaged file is printed"
                + " up to the damage; its file and offset are reported on stderr. Exit code 1 if"
                + " the file is damaged or cannot be read.",
            "");
    PositionalParamSpec.Builder kind = PositionalParamSpec.builder().paramLabel("KIND").index("0");
    spec.addPositional(
        kind.type(String.class)
            .required(true)
            .completionCandidates(List.of("sstable", "log", "manifest", "metadata", "timestamps"))
            .description(
                "sstable (a file in sstables/), log (in commitlog/), manifest, metadata or"
                    + " timestamps")
            .build());
    PositionalParamSpec.Builder file = PositionalParamSpec.builder().paramLabel("FILE").index("1");
    spec.addPositional(
        file.type(String.class).required(true).description("the file's path").build());
    spec.addOption(
        OptionSpec.builder("--json")
            .type(boolean.class)
            .description("one JSON document per line; the first field is its kind")
            .build());
    spec.addOption(
        OptionSpec.builder("--limit")
            .paramLabel("N")
            .type(long.class)
            .description("print at most N entries, records, edits or slots")
            .build());
    addHelp(spec);
    return spec;
  }

  private static void addNodeOptions(CommandSpec spec) {
    spec.addOption(configOption());
    spec.addOption(option("--data", "DIR", "data folder; default ./data"));
    spec.addOption(option("--port", "N", "port that clients connect to; default 9042"));
    spec.addOption(
        option(
            "--listen",
            "ADDRESS",
            "address that clients and, with --seeds, other nodes connect to; default 127.0.0.1"));
    spec.addOption(
        option(
            "--seeds",
            "HOST[:PORT],...",
            "nodes of the cluster to join, the same ones for every node; the first founds it"));
    spec.addOption(keyOption());
    addHelp(spec);
  }

  private static OptionSpec configOption() {
    return option(
        "--config", "FILE", "configuration file; default conf/helenus.yaml of the installation");
  }

  private static OptionSpec keyOption() {
    return OptionSpec.builder("-D")
        .paramLabel("key=value")
        .type(List.class)
        .auxiliaryTypes(String.class)
        .description("any key of helenus.yaml; overrides the file")
        .build();
  }

  private static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("this text").build());
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }
}
