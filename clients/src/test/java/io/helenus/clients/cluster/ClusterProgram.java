package io.helenus.clients.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An application in another language. The program is started with the address of a node and its
 * port, prints {@code hosts ADDRESS …} when it is connected, and then reads commands from its
 * standard input:
 *
 * <ul>
 *   <li>{@code route ID …}: inserts rows into {@code rf1.t}, then prints {@code routed}
 *   <li>{@code load}: begins the load
 *   <li>{@code count}: prints {@code done COUNT}
 *   <li>{@code end}: ends the load, prints {@code done COUNT}, and exits with 0
 * </ul>
 *
 * <p>At any time it prints {@code up ADDRESS} or {@code down ADDRESS} when the driver says so,
 * {@code removed ADDRESS}, and {@code failed TEXT} of a request that failed.
 */
final class ClusterProgram implements DriverApplication {
  private static final long PATIENCE_SECONDS = 120;

  private final String name;
  private final Process process;
  private final BufferedWriter commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<String> hosts;

  /**
   * Starts a program and waits until it is connected.
   *
   * @param errors where its standard error goes
   */
  ClusterProgram(String name, List<String> command, Map<String, String> environment, Path errors)
      throws IOException {
    this.name = name;
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    process = builder.start();
    commands = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, name + " output");
    reader.setDaemon(true);
    reader.start();
    try {
      hosts = List.of(answer("hosts").split(" "));
    } catch (AssertionError e) {
      process.destroyForcibly();
      throw new AssertionError(Files.readString(errors), e);
    }
  }

  private void read() {
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        switch (line.split(" ")[0]) {
          case "up", "down" -> events.add(line);
          case "hosts", "routed", "done" -> answers.add(line);
          default -> failures.add(line);
        }
      }
    } catch (IOException e) {
      failures.add(e.toString());
    }
    answers.add("the end of the output");
  }

  /** Waits for an answer; returns what follows its first word. */
  private String answer(String first) {
    try {
      String line = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null || !line.split(" ")[0].equals(first)) {
        throw new AssertionError(name + ": " + first + " expected, but " + line + " " + failures);
      }
      return line.substring(first.length()).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void send(String command) {
    try {
      commands.write(command);
      commands.newLine();
      commands.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> hosts() {
    return hosts;
  }

  @Override
  public void insert(List<Integer> ids) {
    send(ids.stream().map(id -> " " + id).collect(Collectors.joining("", "route", "")));
    answer("routed");
  }

  @Override
  public void load() {
    send("load");
  }

  @Override
  public int done() {
    send("count");
    return Integer.parseInt(answer("done"));
  }

  @Override
  public List<String> failures() {
    return new ArrayList<>(failures);
  }

  @Override
  public List<String> events() {
    return new ArrayList<>(events);
  }

  @Override
  public int end() {
    send("end");
    int done = Integer.parseInt(answer("done"));
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        failures.add("the program did not end with 0");
      }
      return done;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
