package io.helenus.server.conformance;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.process.Server;
import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A node in this process, accessed over a real socket. */
public final class NodeUnderTest implements ServerUnderTest {
  private static final long LONGEST_STEP_SECONDS = 600;

  /** Of requests: no script expects a timeout, and the machine may be busy. */
  private static final String TIMEOUT = "300s";

  private @Nullable Settings settings;
  private @Nullable Server server;

  @Override
  public void start(Path dataDirectory, int shards, Map<String, String> given) throws IOException {
    settings =
        settings(TestSettings.in(dataDirectory), given)
            .with(Setting.SHARDS, Integer.toString(shards))
            .with(Setting.NATIVE_TRANSPORT_PORT, Integer.toString(ServerProcess.freePort()))
            .build();
    server = Server.start(settings);
  }

  /** The settings of a node under test, beside its address and shards. */
  static TestSettings settings(TestSettings values, Map<String, String> given) {
    values
        .with(Setting.CQL_EXTENSIONS, "false")
        // there is a flush after every write in some runs
        .with(Setting.named("sai_sstable_indexes_per_query_warn_threshold"), "-1")
        .with(Setting.READ_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.RANGE_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.WRITE_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.COUNTER_WRITE_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.CAS_CONTENTION_TIMEOUT, TIMEOUT)
        .with(Setting.TRUNCATE_REQUEST_TIMEOUT, TIMEOUT);
    for (Setting setting : Setting.ALL) {
      String value = given.get(setting.name());
      if (value != null) {
        values.with(setting, value);
      }
    }
    return values;
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return running().port();
  }

  @Override
  public void flush() throws IOException {
    await(running().node().flushAll());
  }

  @Override
  public void compact() throws IOException {
    await(running().node().compactAll());
  }

  @Override
  public void restart() throws IOException {
    running().close();
    Settings same = settings;
    if (same == null) {
      throw new IllegalStateException("not started");
    }
    server = Server.start(same);
  }

  @Override
  public void close() {
    running().close();
  }

  private Server running() {
    Server running = server;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  private static void await(CompletableFuture<Void> step) throws IOException {
    try {
      Void ignored = step.get(LONGEST_STEP_SECONDS, TimeUnit.SECONDS);
      assert ignored == null;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
