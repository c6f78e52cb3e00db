package io.helenus.server.process;

import io.helenus.server.config.ConfigException;
import io.helenus.server.config.ConfigFile;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.dump.Dump;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The command line. Well-formed options for starting a node are parsed by a plain loop, to keep
 * startup fast; everything else is left to {@link Commands} and thus to picocli.
 */
final class Arguments {
  /** System property in which the launcher passes the memory of the process in bytes. */
  private static final String MEMORY = "helenus.memory";

  private static final String CASSANDRA_CONFIG = "cassandra.yaml";

  private @Nullable String config;
  private @Nullable String listen;
  private boolean verify;
  private final List<String[]> settings = new ArrayList<>();

  private Arguments() {}

  /** The action requested by the command line. */
  sealed interface Outcome {
    /** Run a node. */
    record Run(Settings settings) implements Outcome {}

    /** Check the files of a stopped node. */
    record Verify(Settings settings) implements Outcome {}

    /** Print the contents of a file. */
    record Print(Dump.Request request) implements Outcome {}

    /** Judge a schema and queries. */
    record Advise(AdviseCommand.Request request) implements Outcome {}

    /**
     * Run several nodes on this machine.
     *
     * @param nodes how many
     * @param folder the folder of their data folders
     * @param options the options of each of them
     * @param settings what they have in common
     */
    record Cluster(int nodes, String folder, List<String> options, Settings settings)
        implements Outcome {}

    /** Exit with this code; all output has been printed. */
    record Exit(int code) implements Outcome {}
  }

  static Outcome read(String[] args, PrintStream out, PrintStream err) {
    Arguments arguments = new Arguments();
    if (!arguments.take(args)) {
      return Commands.read(args, out, err);
    }
    return arguments.outcome(
        err,
        settings -> arguments.verify ? new Outcome.Verify(settings) : new Outcome.Run(settings));
  }

  /** The command line of several nodes that all have these options. */
  static Outcome cluster(int nodes, String folder, List<String> options, PrintStream err) {
    Arguments arguments = new Arguments();
    if (!arguments.take(options.toArray(String[]::new))) {
      throw new IllegalArgumentException("no options of a node: " + options);
    }
    for (String[] setting : arguments.settings) {
      if (ClusterPlan.OWN_KEYS.contains(setting[1])) {
        err.println("helenus: " + setting[0] + ": each node of helenus cluster has its own");
        return new Outcome.Exit(Commands.USAGE_ERROR);
      }
    }
    return arguments.outcome(
        err, settings -> new Outcome.Cluster(nodes, folder, options, settings));
  }

  private Outcome outcome(PrintStream err, Function<Settings, Outcome> of) {
    try {
      return of.apply(settings());
    } catch (ConfigException e) {
      err.println("helenus: " + e.getMessage());
    } catch (NoSuchFileException e) {
      err.println("helenus: cannot read " + config + ": no such file");
    } catch (IOException e) {
      err.println("helenus: cannot read " + config + ": " + e.getMessage());
    }
    return new Outcome.Exit(Commands.USAGE_ERROR);
  }

  private boolean take(String[] args) {
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals(Commands.VERIFY) && !verify) {
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
      case "--listen" -> {
        listen = value;
        settings.add(new String[] {option, Setting.RPC_ADDRESS.name(), value});
      }
      case "--seeds" -> settings.add(new String[] {option, Setting.SEEDS.name(), value});
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
    Long memory = Long.getLong(MEMORY);
    if (memory != null) {
      builder.autoMemory(memory).heap(Runtime.getRuntime().maxMemory());
    }
    if (config != null) {
      Path file = Path.of(config);
      if (file.endsWith(CASSANDRA_CONFIG)) {
        ConfigFile.readCassandra(config, Files.readString(file), builder);
      } else {
        ConfigFile.read(config, Files.readString(file), builder);
      }
    }
    for (String[] setting : settings) {
      builder.set(setting[0], setting[1], setting[2]);
    }
    if (listen != null && builder.isSet(Setting.SEEDS) && !builder.isSet(Setting.LISTEN_ADDRESS)) {
      listenForNodes(builder, listen);
    }
    return builder.build();
  }

  /** The address for clients is that for other nodes too, unless it stands for all addresses. */
  private static void listenForNodes(Settings.Builder builder, String address)
      throws ConfigException {
    try {
      if (InetAddress.getByName(address).isAnyLocalAddress()) {
        return;
      }
    } catch (UnknownHostException e) {
      throw new ConfigException("--listen: '" + address + "' is not a valid address");
    }
    builder.set("--listen", Setting.LISTEN_ADDRESS.name(), address);
  }
}
