package io.helenus.server.process;

import io.helenus.server.admin.AdminEndpoint;
import io.helenus.server.admin.AdminFiles;
import io.helenus.server.admin.command.Commands;
import io.helenus.server.admin.prometheus.MetricsPage;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.node.NodeOptions;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.WorkerPool;
import io.netty.channel.EventLoopGroup;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The administration endpoint of a node with its token and its threads, which start with the first
 * command. Started and closed by one thread.
 */
final class AdminService implements Closeable {
  private static final Path SYSTEM_RANDOMNESS = Path.of("/dev/urandom");
  private static final int TOKEN_BYTES = 24;
  private static final int SHORTEST_TOKEN = 16;
  private static final int WORKERS = 4;

  private final WorkerPool workers = new WorkerPool("admin", WORKERS);
  private final WorkerPool scrapes = new WorkerPool("metrics", 1);
  private final NodeAdmin admin;
  private final AdminEndpoint endpoint;

  private AdminService(EventLoopGroup loop, NodeAdmin admin, Settings settings, String token) {
    this.admin = admin;
    this.endpoint =
        new AdminEndpoint(
            loop,
            workers,
            scrapes,
            Commands.of(admin),
            new MetricsPage(admin, settings.number(Setting.METRICS_TABLE_LIMIT)),
            admin,
            token);
  }

  /** Starts listening as configured. */
  static AdminService start(
      Settings settings, FileSystem files, EventLoopGroup loop, NodeAdmin admin)
      throws IOException {
    InetAddress address = address(settings, Setting.ADMIN_ADDRESS);
    AdminService service = new AdminService(loop, admin, settings, token(settings, files, address));
    try {
      InetSocketAddress actual = service.listen(settings, address);
      String text = address.getHostAddress() + ":" + actual.getPort();
      replace(files, AdminFiles.ADDRESS, text + "\n");
      String healthPort = settings.text(Setting.HEALTH_PORT);
      if (!healthPort.isEmpty()) {
        service.endpoint.listen(
            new InetSocketAddress(
                address(settings, Setting.HEALTH_ADDRESS), Integer.parseInt(healthPort)),
            false);
      }
      return service;
    } catch (IOException e) {
      service.close();
      throw e;
    }
  }

  private InetSocketAddress listen(Settings settings, InetAddress address) throws IOException {
    String port = settings.text(Setting.ADMIN_PORT);
    if (!port.isEmpty()) {
      return endpoint.listen(new InetSocketAddress(address, Integer.parseInt(port)), true);
    }
    try {
      return endpoint.listen(new InetSocketAddress(address, AdminFiles.DEFAULT_PORT), true);
    } catch (IOException inUse) {
      return endpoint.listen(new InetSocketAddress(address, 0), true);
    }
  }

  private static InetAddress address(Settings settings, Setting setting) throws IOException {
    return NodeOptions.address(setting, settings.text(setting));
  }

  private static String token(Settings settings, FileSystem files, InetAddress address)
      throws IOException {
    String file = settings.text(Setting.ADMIN_TOKEN_FILE);
    String given = System.getenv().getOrDefault(AdminFiles.TOKEN_VARIABLE, "");
    if (!file.isEmpty() || !given.isEmpty()) {
      String token = file.isEmpty() ? given : Files.readString(Path.of(file)).strip();
      if (token.length() < SHORTEST_TOKEN) {
        throw new IOException(
            "the token in "
                + (file.isEmpty() ? AdminFiles.TOKEN_VARIABLE : file)
                + " needs at least "
                + SHORTEST_TOKEN
                + " characters");
      }
      return token;
    }
    if (!address.isLoopbackAddress()) {
      throw new IOException(
          "admin_address "
              + address.getHostAddress()
              + " is not a loopback address; this requires a token in the environment variable "
              + AdminFiles.TOKEN_VARIABLE
              + " or in admin_token_file");
    }
    String token = HexFormat.of().formatHex(secret());
    replace(files, AdminFiles.TOKEN, token + "\n");
    return token;
  }

  /** Read from the system where possible: loading SecureRandom takes 10 ms of every start. */
  private static byte[] secret() throws IOException {
    if (Files.isReadable(SYSTEM_RANDOMNESS)) {
      try (InputStream in = Files.newInputStream(SYSTEM_RANDOMNESS)) {
        return in.readNBytes(TOKEN_BYTES);
      }
    }
    byte[] secret = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(secret);
    return secret;
  }

  private static void replace(FileSystem files, String path, String text) throws IOException {
    if (files.exists(path)) {
      files.delete(path);
    }
    ByteWriter bytes = new ByteWriter(128);
    bytes.putBytes(text.getBytes(StandardCharsets.UTF_8));
    try (FileSystem.File file = files.createPrivate(path)) {
      file.write(0, bytes.segment(), 0, bytes.size());
    }
  }

  /** Stops listening and lets the commands in progress fail. */
  @Override
  public void close() {
    endpoint.close();
    admin.stop();
    workers.close();
    scrapes.close();
  }
}
