package io.helenus.copy;

import com.datastax.oss.driver.api.core.DriverException;
import io.helenus.copy.cluster.CopyException;
import io.helenus.copy.cluster.Requests;
import io.helenus.copy.cluster.Side;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The process {@code helenus copy}. */
public final class Main {
  private static final int FAILED = 1;
  private static final int DIFFERENT = 2;

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // set by the launcher: Java cannot ask whether the error stream is a terminal
    boolean terminal = Boolean.getBoolean("helenus.terminal");
    System.exit(run(arguments, System.getenv(), terminal, System.out, System.err));
  }

  /** The command line, for shell completion. */
  public static CommandSpec commands() {
    return commands(new CopyOptions());
  }

  private static CommandSpec commands(CopyOptions options) {
    return CommandSpec.forAnnotatedObject(options)
        .addOption(
            OptionSpec.builder("-h", "--help").usageHelp(true).description("Prints this.").build());
  }

  /** Runs the command; returns its exit code. */
  static int run(
      String[] arguments,
      Map<String, String> environment,
      boolean terminal,
      PrintStream out,
      PrintStream err) {
    CopyOptions options = new CopyOptions();
    CommandLine command = new CommandLine(commands(options));
    try {
      if (command.parseArgs(arguments).isUsageHelpRequested()) {
        command.usage(out);
        return 0;
      }
      String error = options.error();
      if (error != null) {
        throw new CommandLine.ParameterException(command, error);
      }
    } catch (CommandLine.ParameterException e) {
      err.println("helenus copy: " + e.getMessage() + ". See helenus copy --help");
      return FAILED;
    }
    try (Side source = Side.open(options.from(), options.consistency(), environment);
        Side target = Side.open(options.to(), options.consistency(), environment)) {
      return new CopyRun(options, source, target, terminal, out, err).run() ? 0 : DIFFERENT;
    } catch (CopyException | UncheckedIOException e) {
      err.println("helenus copy: " + e.getMessage());
    } catch (DriverException e) {
      err.println("helenus copy: " + Requests.describe(e));
    }
    return FAILED;
  }
}
