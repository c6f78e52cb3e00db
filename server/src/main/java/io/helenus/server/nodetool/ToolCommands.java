package io.helenus.server.nodetool;

import io.helenus.server.config.Setting;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ScopeType;

/** The commands with their options, named as in Cassandra's nodetool. Stateless. */
final class ToolCommands {
  private static final String TABLES = "[<keyspace> [<tables>...]]";

  private ToolCommands() {}

  /** The whole command line; options of all commands first. */
  static CommandSpec all() {
    CommandSpec all = CommandSpec.create().name("nodetool");
    global(all, "<host>", "host of the node; default that of the data folder", "-h", "--host");
    global(
        all, "<port>", "its administration port; default that of the data folder", "-p", "--port");
    global(all, "<token>", "token of the administration endpoint", "-pw", "--password");
    global(all, "<file>", "file with the token", "-pwf", "--password-file");
    global(
        all,
        "<folder>",
        "data folder of the node, with its address and token; default as configured",
        "--data");
    global(
        all, "<file>", "configuration file, read for " + Setting.DATA_DIRECTORY.name(), "--config");
    addStatus(all);
    addCluster(all);
    addWork(all);
    addSettings(all);
    addSnapshots(all);
    add(all, "help", "Display help information", "[<command>]");
    return all;
  }

  private static void addStatus(CommandSpec all) {
    add(all, "compactionstats", "Print statistics on compactions", null, human());
    add(all, "gcstats", "Print GC Statistics", null);
    add(
        all,
        "getsstables",
        "Print the sstable filenames that own the key",
        "<keyspace> <table> <key>",
        flag("specify the key in hexadecimal string format", "-hf", "--hex-format"),
        flag("show the levels of a table with leveled compaction", "-l", "--show-levels"));
    add(
        all,
        "info",
        "Print node information (uptime, load, ...)",
        null,
        flag("display all tokens", "-T", "--tokens"));
    add(all, "proxyhistograms", "Print statistic histograms for network operations", null);
    add(all, "statusbinary", "Status of native transport (binary protocol)", null);
    add(all, "statusgossip", "Status of gossip", null);
    add(
        all,
        "tablehistograms",
        "Print statistic histograms for a given table",
        "[<keyspace> <table> | <keyspace.table>]");
    add(
        all,
        "tablestats",
        "Print statistics on tables",
        "[<keyspace.table>...]",
        option("<format>", "output format (json, yaml)", "-F", "--format"),
        human(),
        flag("ignore the list of tables and display the remaining tables", "-i", "--ignore"),
        option("<sort_key>", "sort tables by a number, greatest first", "-s", "--sort"),
        option("<top>", "show only so many tables, with a sort key", "-t", "--top"));
    for (String name : List.of("profileload", "toppartitions")) {
      add(
          all,
          name,
          "Sample and print the most active partitions",
          "[<keyspace> <table>] [<duration in ms>]",
          option("<samplers>", "list of samplers, separated by commas", "-a", "--samplers"),
          flag("reads and writes of the last seconds, without sampling", "-n", "--now"),
          option("<count>", "number of partitions to list, 10 by default", "-k", "--top"),
          option(
              "<capacity>", "number of partitions to count, 256 by default", "-s", "--capacity"));
    }
    add(all, "tpstats", "Print usage statistics of thread pools", null);
    add(
        all,
        "version",
        "Print the version",
        null,
        flag("with the version of Helenus", "-v", "--verbose"));
  }

  private static void addCluster(CommandSpec all) {
    add(
        all,
        "describecluster",
        "Print the name, snitch, partitioner and schema version of a cluster",
        null,
        ports());
    add(
        all,
        "describering",
        "Shows the token ranges info of a given keyspace",
        "<keyspace>",
        ports());
    add(
        all,
        "failuredetector",
        "Shows the failure detector information for the cluster",
        null,
        ports());
    add(
        all,
        "getendpoints",
        "Print the end points that owns the key",
        "<keyspace> <table> <key>",
        ports());
    add(all, "gossipinfo", "Shows the gossip information for the cluster", null, ports());
    add(all, "netstats", "Print network information on provided host", null);
    add(all, "ring", "Print information about the token ring", "[<keyspace>]", ports());
    add(
        all,
        "status",
        "Print cluster information (state, load, IDs, ...)",
        "[<keyspace>]",
        flag("show node domain names instead of IPs", "-r", "--resolve-ip"),
        ports());
  }

  private static void addWork(CommandSpec all) {
    add(
        all,
        "cleanup",
        "Triggers the immediate cleanup of keys no longer belonging to a node",
        TABLES);
    add(all, "compact", "Force a (major) compaction on one or more tables", TABLES);
    add(all, "decommission", "Decommission the node", null);
    add(
        all,
        "disablebinary",
        "Disable native transport (binary protocol)",
        null,
        flag("interrupt client requests that have already started", "-f", "--force"));
    add(all, "drain", "Drain the node (stop accepting writes and flush all tables)", null);
    add(all, "enablebinary", "Reenable native transport (binary protocol)", null);
    add(all, "flush", "Flush one or more tables", TABLES);
    add(all, "move", "Move node on the token ring to a new token", "<token>");
    add(
        all,
        "rebuild_index",
        "A full rebuild of native secondary indexes for a given table",
        "<keyspace> <table> <indexName...>");
    add(
        all,
        "viewbuildstatus",
        "Show progress of a materialized view build",
        "<keyspace> <view> | <keyspace.view>");
    add(
        all,
        "verifyview",
        "Compare a materialized view with its table, and repair it",
        "<keyspace> <view>",
        flag("write what makes the view equal to its definition", "--repair"));
    add(all, "removenode", "Show status of current node removal, or remove a node", "<status|ID>");
    add(
        all,
        "repair",
        "Repair one or more tables",
        TABLES,
        flag("a full repair", "-full", "--full"),
        flag("the primary ranges of the node", "-pr", "--partitioner-range"));
  }

  private static void addSettings(CommandSpec all) {
    add(all, "getlogginglevels", "Get the runtime logging levels", null);
    add(
        all,
        "gettimeout",
        "Print the timeout of the given type in ms",
        "<read|range|write|counterwrite|cascontention|truncate>");
    add(
        all,
        "setlogginglevel",
        "Set the log level threshold for a given class; all are reset without one",
        "[<class> [<level>]]");
    add(
        all,
        "settimeout",
        "Set the specified timeout in ms until the next start",
        "<read|range|write|counterwrite|cascontention|truncate> <ms>");
  }

  private static void addSnapshots(CommandSpec all) {
    add(
        all,
        "clearsnapshot",
        "Remove the snapshot with the given name from the given keyspaces",
        "[<keyspaces>...]",
        flag("remove all snapshots", "--all"),
        option("<name>", "the snapshot to remove", "-t", "--tag"));
    add(
        all,
        "import",
        "Import the SSTables of snapshots into a table",
        "<keyspace> <table> <directory>...",
        flag("copy the files, as is always done", "-cd", "--copy-data"),
        flag("verify all values, as is always done", "-e", "--extended-verify"));
    add(
        all,
        "refresh",
        "Load the snapshot placed in import/<keyspace>/<table> of the data folder",
        "<keyspace> <table>");
    add(
        all,
        "listsnapshots",
        "Lists all the snapshots along with the size on disk and true size",
        null);
    add(
        all,
        "snapshot",
        "Take a snapshot of specified keyspaces or a snapshot of the specified table",
        "[<keyspaces>...]",
        option("<table>", "the table, of one keyspace", "-cf", "--column-family", "--table"),
        option("<list>", "keyspace.table,...", "-kc", "--kc.list", "-kt", "--kt-list"),
        flag("leave out what is not flushed", "-sf", "--skip-flush"),
        option("<name>", "the name of the snapshot; default the time", "-t", "--tag"));
  }

  private static void global(CommandSpec all, String label, String description, String... names) {
    all.addOption(
        OptionSpec.builder(names)
            .paramLabel(label)
            .type(String.class)
            .scopeType(ScopeType.INHERIT)
            .description(description)
            .build());
  }

  private static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names).type(boolean.class).description(description).build();
  }

  private static OptionSpec ports() {
    return flag("show addresses with ports", "-pp", "--print-port");
  }

  private static OptionSpec human() {
    return flag("sizes in KiB, MiB, GiB, TiB", "-H", "--human-readable");
  }

  private static OptionSpec option(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  private static void add(
      CommandSpec all,
      String name,
      String description,
      @Nullable String arguments,
      OptionSpec... options) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(description);
    spec.parser()
        .posixClusteredShortOptionsAllowed(false)
        .unmatchedOptionsArePositionalParams(arguments != null);
    for (OptionSpec option : options) {
      spec.addOption(option);
    }
    if (arguments != null) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .paramLabel(arguments)
              .hideParamSyntax(true)
              .type(List.class)
              .auxiliaryTypes(String.class)
              .arity("0..*")
              .build());
    }
    all.addSubcommand(name, spec);
  }

  /** Prints the list of commands as Cassandra does. */
  static void printList(CommandSpec all, PrintStream out) {
    out.println(
        """
        usage: nodetool [(-h <host> | --host <host>)] [(-p <port> | --port <port>)]
                [(-pw <token> | --password <token>)]
                [(-pwf <file> | --password-file <file>)]
                [--data <folder>] [--config <file>] <command> [<args>]

        The nodetool commands are:\
        """);
    new TreeMap<>(all.subcommands())
        .forEach(
            (name, command) ->
                out.println(
                    String.format(
                        Locale.ROOT,
                        "    %-20s%s",
                        name,
                        command.getCommandSpec().usageMessage().description()[0])));
    out.println("\nSee 'nodetool help <command>' for more information on a specific command.\n");
  }
}
