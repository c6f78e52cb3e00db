package io.helenus.server.process;

import io.helenus.server.nodetool.NodeTool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The training run of nodetool's start-up cache: sends commands to a socket that answers all of
 * them in the same way.
 */
public final class ToolTraining {
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-length: 8\r\nconnection: close\r\n\r\nrunning\n";
  private static final int REQUESTS = 3;

  private ToolTraining() {}

  /** Runs the training and exits as the tool does. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("nodetool-training");
    Path config = folder.resolve("helenus.yaml");
    Path token = folder.resolve("admin.token");
    Path address = folder.resolve("admin.address");
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread node = new Thread(() -> answer(listener), "training");
      node.setDaemon(true);
      node.start();
      Files.writeString(config, "data_directory: " + folder + "\n");
      Files.writeString(token, "token\n");
      Files.writeString(address, "127.0.0.1:" + listener.getLocalPort() + "\n");
      String[][] commands = {
        {"status"}, {"tablestats", "-H", "ks.t"}, {"snapshot", "-t", "tag", "ks"}, {"help"}
      };
      for (String[] command : commands) {
        String[] whole = new String[command.length + 2];
        whole[0] = "--config";
        whole[1] = config.toString();
        System.arraycopy(command, 0, whole, 2, command.length);
        int exitCode = NodeTool.run(whole, System.out, System.err);
        if (exitCode != 0) {
          throw new IOException("the training's " + String.join(" ", command) + " failed");
        }
      }
    } finally {
      for (Path file : new Path[] {config, token, address, folder}) {
        Files.deleteIfExists(file);
      }
    }
    System.exit(0);
  }

  private static void answer(ServerSocket listener) {
    for (int i = 0; i < REQUESTS; i++) {
      try (Socket socket = listener.accept()) {
        int first = socket.getInputStream().read();
        socket.getInputStream().skipNBytes(first < 0 ? 0 : socket.getInputStream().available());
        socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        System.err.println("the training's socket failed: " + e.getMessage());
      }
    }
  }
}
