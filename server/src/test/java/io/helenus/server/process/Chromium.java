package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A headless Chromium with one page, driven by the DevTools protocol. Every request that the page
 * makes is kept.
 */
final class Chromium implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern SESSION = Pattern.compile("\"sessionId\":\"([^\"]+)\"");
  private static final Pattern TARGET = Pattern.compile("\"targetId\":\"([^\"]+)\"");
  private static final Pattern REQUEST =
      Pattern.compile(
          "\"method\":\"Network.requestWillBeSent\".*?\"request\":\\{\"url\":\"([^\"]+)\"");
  private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]+)\"");
  private static final Pattern NUMBER = Pattern.compile("\"value\":(-?[\\d.]+)");

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final List<String> requests = new ArrayList<>();
  private String session = "";
  private int id;

  /** Starts the program with a profile in a folder. */
  Chromium(Path folder) throws IOException, InterruptedException {
    Path profile = folder.resolve("profile");
    process =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("chromium.log").toFile())
            .start();
    List<String> address = address(profile.resolve("DevToolsActivePort"));
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(
                URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1)), new Receiver())
            .join();
    String target = first(TARGET, call("Target.createTarget", "{\"url\":\"about:blank\"}"));
    session =
        first(
            SESSION,
            call("Target.attachToTarget", "{\"targetId\":\"" + target + "\",\"flatten\":true}"));
    call("Page.enable", "{}");
    call("Network.enable", "{}");
  }

  /** The port and the path that the program listens on. */
  private List<String> address(Path file) throws IOException, InterruptedException {
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end) && process.isAlive()) {
      if (Files.exists(file)) {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() == 2) {
          return lines;
        }
      }
      Thread.sleep(50);
    }
    throw new IOException("Chromium did not start");
  }

  /** Puts whole messages into the queue. */
  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        messages.add(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private String call(String method, String parameters) throws InterruptedException {
    id++;
    String to = session.isEmpty() ? "" : ",\"sessionId\":\"" + session + "\"";
    socket
        .sendText(
            "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + to + "}",
            true)
        .join();
    String answer = await("{\"id\":" + id + ",");
    assertTrue(answer.startsWith("{\"id\":" + id + ",\"result\""), answer);
    return answer;
  }

  /** Takes messages until one begins so or contains that. */
  private String await(String text) throws InterruptedException {
    while (true) {
      String message = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertNotNull(message, () -> "nothing came while waiting for " + text);
      Matcher request = REQUEST.matcher(message);
      if (request.find()) {
        requests.add(request.group(1));
      }
      if (message.startsWith(text) || message.contains("\"method\":\"" + text + "\"")) {
        return message;
      }
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertTrue(matcher.find(), text);
    return matcher.group(1);
  }

  /** Shows a page as on a screen of this width, with touch if it is a phone's. */
  void open(String address, int width, boolean phone) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":"
            + width
            + ",\"height\":844,\"deviceScaleFactor\":1,\"mobile\":"
            + phone
            + "}");
    call("Page.navigate", "{\"url\":\"" + address + "\"}");
    await("Page.loadEventFired");
  }

  /** The number that a script yields. */
  double number(String script) throws InterruptedException {
    String quoted = script.replace("\\", "\\\\").replace("\"", "\\\"");
    return Double.parseDouble(
        first(NUMBER, call("Runtime.evaluate", "{\"expression\":\"" + quoted + "\"}")));
  }

  /** All addresses that were requested. */
  List<String> requests() {
    return requests;
  }

  /** Writes a picture of the whole page. */
  void screenshot(Path file) throws IOException, InterruptedException {
    String answer =
        call("Page.captureScreenshot", "{\"format\":\"png\",\"captureBeyondViewport\":true}");
    Files.write(file, Base64.getDecoder().decode(first(DATA, answer)));
  }

  @Override
  public void close() {
    session = "";
    try {
      call("Browser.close", "{}"); // it removes what it has put elsewhere
      assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "Chromium did not end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      socket.abort();
      client.shutdownNow();
    }
  }
}
