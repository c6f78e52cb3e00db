package io.helenus.server.node;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.metadata.MetadataException;
import io.helenus.storage.engine.StorageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process: reads the command line, runs a node until SIGTERM or Ctrl-C. */
public final class Main {
  private static final int START_FAILED = 1;

  private Main() {}

  /** Runs a node. */
  public static void main(String[] args) {
    switch (Arguments.read(args, System.out, System.err)) {
      case Arguments.Outcome.Exit(int code) -> System.exit(code);
      case Arguments.Outcome.Run(Settings settings) -> run(settings);
    }
  }

  private static void run(Settings settings) {
    Server server;
    try {
      server = Server.start(settings);
    } catch (IOException | StorageException | MetadataException e) {
      System.err.println("helenus: " + e.getMessage());
      System.exit(START_FAILED);
      return;
    }
    Logger log = LoggerFactory.getLogger(Main.class);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, log), "stop"));
    log.info(
        "Startup complete: Helenus {} answers on {} after {} s, data in {}",
        Version.TEXT,
        text(server.address()),
        sinceStart(),
        settings.text(Setting.DATA_DIRECTORY));
  }

  /** Ends with 0: a stop that was asked for is no failure. */
  private static void stop(Server server, Logger log) {
    log.info("Stopping: no new connections, requests in flight finish, memtables are flushed");
    try {
      server.close();
      log.info("Stopped");
    } catch (RuntimeException e) {
      log.error("the stop was not in order; the log brings everything back at the next start", e);
      Runtime.getRuntime().halt(START_FAILED);
    }
    Runtime.getRuntime().halt(0);
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private static String sinceStart() {
    Instant began = ProcessHandle.current().info().startInstant().orElse(Instant.now());
    double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
