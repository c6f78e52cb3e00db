package io.helenus.server.process;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code helenus cluster}: runs several nodes on this machine until SIGTERM or Ctrl-C. */
final class ClusterCommand {
  /** System property in which the launcher passes its path. */
  private static final String LAUNCHER = "helenus.launcher";

  private static final int FAILED = 1;

  /** More than a node takes for the steps of its stop. */
  private static final long GRACE_MILLIS = TimeUnit.SECONDS.toMillis(150);

  private ClusterCommand() {}

  /** Runs the nodes; returns the exit code. A requested stop ends the process instead. */
  static int run(Arguments.Outcome.Cluster cluster, PrintStream out, PrintStream err) {
    String launcher = System.getProperty(LAUNCHER, "");
    if (launcher.isEmpty()) {
      err.println("helenus: bin/helenus runs this command");
      return Commands.USAGE_ERROR;
    }
    ClusterPlan plan = ClusterPlan.of(cluster, Runtime.getRuntime().availableProcessors());
    NodeProcesses nodes =
        new NodeProcesses(arguments -> start(launcher, arguments), out, GRACE_MILLIS);
    try {
      ClusterChecks.check(plan);
      // for a terminal that is closed, and anything else that ends this process
      Runtime.getRuntime().addShutdownHook(new Thread(nodes::stop, "stop"));
      StopSignals.handle(() -> Runtime.getRuntime().halt(nodes.stop() ? 0 : FAILED));
      nodes.start(plan.members());
      if (nodes.await()) {
        return 0;
      }
      out.println("helenus: all nodes have ended");
    } catch (IOException e) {
      err.println("helenus: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return FAILED;
  }

  private static NodeProcesses.Child start(String launcher, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(launcher);
    command.addAll(arguments);
    return new NodeProcess(command);
  }
}
