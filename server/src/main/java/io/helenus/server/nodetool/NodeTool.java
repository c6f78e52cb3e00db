package io.helenus.server.nodetool;

import io.helenus.server.admin.AdminFiles;
import io.helenus.server.admin.CommandException;
import io.helenus.server.config.ConfigException;
import io.helenus.server.config.ConfigFile;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code nodetool}. Exit codes as in Cassandra: 1 if the command is wrong or no node answers, 2 if
 * the command failed. Used once, by one thread.
 */
public final class NodeTool {
  private static final String SEE_HELP = "See 'nodetool help' or 'nodetool help <command>'.";
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  private final PrintStream out;
  private final PrintStream err;

  private NodeTool(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs a command and exits. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /** The whole command line, for shell completion. */
  public static CommandSpec commands() {
    return ToolCommands.all();
  }

  /** Runs a command; returns the exit code. */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return new NodeTool(out, err).run(args);
  }

  private int run(String[] args) {
    CommandSpec all = ToolCommands.all();
    try {
      ParseResult parsed = new CommandLine(all).parseArgs(args);
      if (!parsed.hasSubcommand()) {
        ToolCommands.printList(all, out);
        return 0;
      }
      ParseResult command = parsed.subcommand();
      return command.commandSpec().name().equals("help")
          ? help(all, arguments(command))
          : send(parsed, command);
    } catch (CommandLine.UnmatchedArgumentException e) {
      String first = e.getUnmatched().getFirst();
      return usage(
          e.getCommandLine().getCommandSpec() == all && !first.startsWith("-")
              ? "'" + first + "' is not a command of Helenus"
              : "Found unexpected parameters: " + e.getUnmatched());
    } catch (CommandLine.ParameterException e) {
      return usage(String.valueOf(e.getMessage()));
    }
  }

  private int usage(String message) {
    out.println("nodetool: " + message);
    out.println(SEE_HELP);
    return CommandException.Kind.USAGE.exitCode();
  }

  private int help(CommandSpec all, List<String> arguments) {
    if (arguments.isEmpty()) {
      ToolCommands.printList(all, out);
      return 0;
    }
    CommandLine chosen = all.subcommands().get(arguments.getFirst());
    if (chosen == null) {
      out.println("Unknown command " + arguments.getFirst());
      return CommandException.Kind.USAGE.exitCode();
    }
    chosen.getCommandSpec().parser().separator(" ");
    chosen.usage(out);
    return 0;
  }

  private static List<String> arguments(ParseResult command) {
    return command.matchedPositionalValue(0, List.of());
  }

  private int send(ParseResult all, ParseResult command) {
    AdminClient client;
    try {
      client = client(new Globals(all, command));
    } catch (NoSuchFileException e) {
      return unreachable(
          "there is no file "
              + e.getMessage()
              + ": start nodetool in the folder in which the node was started, or name the node's"
              + " data folder with --data");
    } catch (IOException | ConfigException e) {
      return unreachable(String.valueOf(e.getMessage()));
    }
    AdminClient.Response response;
    try {
      response = client.send(target(command), line -> err.println(line));
    } catch (IOException e) {
      return unreachable(
          String.format(
              "Failed to connect to '%s:%d' - %s: '%s'.",
              client.host(), client.port(), e.getClass().getSimpleName(), e.getMessage()));
    }
    return print(client, response);
  }

  private int unreachable(String message) {
    err.println("nodetool: " + message);
    return CommandException.Kind.USAGE.exitCode();
  }

  private int print(AdminClient client, AdminClient.Response response) {
    if (response.status() == OK) {
      out.print(response.text());
      return 0;
    }
    if (response.status() == UNAUTHORIZED) {
      return unreachable(
          String.format(
              "%s, or another node listens on '%s:%d' now",
              response.text().strip(), client.host(), client.port()));
    }
    if (response.status() == CommandException.Kind.USAGE.status()) {
      return usage(response.text());
    }
    if (response.status() == CommandException.Kind.REFUSED.status()) {
      out.print(response.text());
      return CommandException.Kind.REFUSED.exitCode();
    }
    if (response.status() == CommandException.Kind.NOT_DONE.status()) {
      err.print(response.text());
      return CommandException.Kind.NOT_DONE.exitCode();
    }
    err.println("error: " + response.text().strip());
    return CommandException.Kind.FAILED.exitCode();
  }

  /** Options are sent under the last of their names. */
  private static String target(ParseResult command) {
    StringBuilder target = new StringBuilder("/nodetool/" + command.commandSpec().name());
    char separator = '?';
    for (OptionSpec option : command.matchedOptions()) {
      if (!option.inherited()) {
        String value = option.type() == boolean.class ? "" : option.getValue();
        String[] names = option.names();
        target.append(separator).append(names[names.length - 1].replaceFirst("^-+", ""));
        target.append('=').append(encoded(value));
        separator = '&';
      }
    }
    for (String argument : arguments(command)) {
      target.append(separator).append("arg=").append(encoded(argument));
      separator = '&';
    }
    return target.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static AdminClient client(Globals globals) throws IOException, ConfigException {
    String host = globals.option("--host");
    String port = globals.option("--port");
    String token = globals.option("--password");
    String tokenFile = globals.option("--password-file");
    if (token == null && tokenFile != null) {
      token = Files.readString(Path.of(tokenFile)).strip();
    }
    if (token == null) {
      token = System.getenv(AdminFiles.TOKEN_VARIABLE);
    }
    Settings settings = globals.settings();
    Path data = Path.of(settings.text(Setting.DATA_DIRECTORY));
    if (token == null) {
      String configured = settings.text(Setting.ADMIN_TOKEN_FILE);
      Path file = configured.isEmpty() ? data.resolve(AdminFiles.TOKEN) : Path.of(configured);
      token = Files.readString(file).strip();
    }
    if (host == null && port == null) {
      String address = Files.readString(data.resolve(AdminFiles.ADDRESS)).strip();
      int colon = address.lastIndexOf(':');
      return new AdminClient(
          address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), token);
    }
    try {
      return new AdminClient(
          host == null ? settings.text(Setting.ADMIN_ADDRESS) : host,
          port == null ? AdminFiles.DEFAULT_PORT : Integer.parseInt(port),
          token);
    } catch (NumberFormatException e) {
      throw new IOException("'" + port + "' is not a port", e);
    }
  }

  /** The options of all commands, which may precede or follow the command. */
  private record Globals(ParseResult before, ParseResult after) {
    @Nullable String option(String name) {
      String last = after.matchedOptionValue(name, (String) null);
      return last == null ? before.matchedOptionValue(name, (String) null) : last;
    }

    Settings settings() throws IOException, ConfigException {
      Settings.Builder builder = new Settings.Builder();
      String data = option("--data");
      String config = option("--config");
      if (data != null) {
        builder.set("--data", Setting.DATA_DIRECTORY.name(), data);
      } else if (config != null) {
        ConfigFile.read(config, Files.readString(Path.of(config)), builder);
      }
      return builder.build();
    }
  }
}
