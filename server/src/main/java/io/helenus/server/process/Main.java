package io.helenus.server.process;

import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.dump.Dump;
import io.helenus.server.metadata.MetadataException;
import io.helenus.server.node.Version;
import io.helenus.server.process.logging.LogSetup;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.engine.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process entry point: parses the command line and runs a node until SIGTERM or Ctrl-C. */
public final class Main {
  private static final int START_FAILED = 1;
  private static final int DAMAGED = 1;

  /** System property in which the launcher passes its start time, in microseconds since 1970. */
  private static final String LAUNCHED_MICROS = "helenus.started";

  private Main() {}

  /** Runs a node. */
  public static void main(String[] args) {
    // not a pattern switch, for which the JVM would generate a class at every start
    Arguments.Outcome outcome = Arguments.read(args, System.out, System.err);
    if (outcome instanceof Arguments.Outcome.Run run) {
      run(run.settings());
    } else if (outcome instanceof Arguments.Outcome.Verify verify) {
      System.exit(verify(verify.settings()));
    } else if (outcome instanceof Arguments.Outcome.Print print) {
      System.exit(Dump.run(print.request(), SystemKeyspaces.all(), System.out, System.err));
    } else if (outcome instanceof Arguments.Outcome.Advise advise) {
      System.exit(AdviseCommand.run(advise.request(), Path.of(""), System.out, System.err));
    } else if (outcome instanceof Arguments.Outcome.Cluster cluster) {
      System.exit(ClusterCommand.run(cluster, System.out, System.err));
    } else if (outcome instanceof Arguments.Outcome.Exit exit) {
      System.exit(exit.code());
    }
  }

  private static int verify(Settings settings) {
    try {
      return Verification.run(settings, System.out) == 0 ? 0 : DAMAGED;
    } catch (IOException e) {
      System.err.println("helenus: " + e.getMessage());
      return DAMAGED;
    }
  }

  private static void run(Settings settings) {
    try {
      LogSetup.apply(settings);
    } catch (IOException e) {
      System.err.println("helenus: " + e.getMessage());
      System.exit(START_FAILED);
      return;
    }
    if (!settings.ignoredKeys().isEmpty()) {
      log()
          .warn(
              "Keys of cassandra.yaml without effect here: {}",
              String.join(", ", settings.ignoredKeys()));
    }
    StartWaits waits = new StartWaits();
    if (settings.cluster() != null) {
      StopSignals.handle(waits);
    }
    Server server;
    try {
      server = Server.start(settings, waits);
    } catch (StartWaits.EndedException e) {
      log().info("Stopped while waiting for other nodes");
      Runtime.getRuntime().halt(0);
      return;
    } catch (IOException | StorageException | MetadataException e) {
      System.err.println("helenus: " + e.getMessage());
      System.exit(START_FAILED);
      return;
    } catch (Throwable e) {
      // threads that are already running would keep the process alive without a node
      log().error("The node failed to start", e);
      Runtime.getRuntime().halt(START_FAILED);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
    StopSignals.handle(server::stopReads);
    announce(server, settings);
  }

  /**
   * Logs that the node accepts requests, after warnings: if it may not accept many, or anyone's.
   */
  static void announce(Server server, Settings settings) {
    OpenFileLimit.warn();
    warn(exposure(server.address()), settings);
    ClusterSettings cluster = settings.cluster();
    if (cluster != null) {
      warn(linkExposure(cluster.listen()), settings);
    }
    log()
        .info(
            "Startup complete: Helenus {} listening on {} after {} s, data in {}",
            Version.TEXT,
            text(server.address()),
            sinceStart(),
            settings.text(Setting.DATA_DIRECTORY));
  }

  private static void warn(String exposed, Settings settings) {
    if (!exposed.isEmpty()) {
      log().warn(exposed);
      if (!settings.text(Setting.LOG_FILE).isEmpty()) {
        System.err.println("helenus: warning: " + exposed); // which the command start shows
      }
    }
  }

  /** The same about the address that other nodes connect to. */
  static String linkExposure(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress()
        ? ""
        : "Whoever reaches "
            + text(address)
            + " can read and change everything: in this version, links between nodes are neither"
            + " encrypted nor authenticated. Let only the other nodes reach this port, with a"
            + " firewall or in a network of their own";
  }

  /** What to say about an address that others than this machine may reach; empty if they cannot. */
  static String exposure(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress()
        ? ""
        : "Whoever reaches "
            + text(address)
            + " can read and change everything: this version has neither passwords nor encryption"
            + " for clients. Keep others out with a firewall, or listen on 127.0.0.1; of a"
            + " container, publish the port to its host only (-p 127.0.0.1:9042:9042)";
  }

  /** Created on demand; help and usage errors do not need it. */
  private static Logger log() {
    return LoggerFactory.getLogger(Main.class);
  }

  /** Exits with 0, because a requested stop is not a failure. */
  private static void stop(Server server) {
    server.stopReads();
    Logger log = log();
    log.info(
        "Stopping: refusing connections and reads, finishing writes in flight, flushing memtables");
    try {
      server.close();
      log.info("Stopped");
    } catch (Throwable e) {
      log.error("Shutdown failed; the next start will replay the commit log", e);
      Runtime.getRuntime().halt(START_FAILED);
    }
    Runtime.getRuntime().halt(0);
  }

  private static String text(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    return (host.isAnyLocalAddress() ? "*" : host.getHostAddress()) + ":" + address.getPort();
  }

  /** The seconds since the launcher started, or since the JVM started if there was no launcher. */
  private static String sinceStart() {
    Instant now = Instant.now();
    Long launched = Long.getLong(LAUNCHED_MICROS);
    Instant began =
        launched == null
            ? ProcessHandle.current().info().startInstant().orElse(now)
            : Instant.EPOCH.plus(launched, ChronoUnit.MICROS);
    double seconds = Duration.between(began, now).toMillis() / 1000.0;
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
