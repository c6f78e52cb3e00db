package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Installs non-Java clients under {@code target/} and runs them. */
public final class Toolchain {
  private static final long LONGEST_RUN_MINUTES = 30;
  private static final String NODE_PACKAGE = "cassandra-driver@4.10.0";

  private Toolchain() {}

  /** The output and exit code of a program. */
  public record Run(int exitCode, String out, String err) {}

  /** A folder for the clients' dependencies and output, the same for all modules. */
  static Path folder() throws IOException {
    return Files.createDirectories(server().resolve(Path.of("target", "clients")));
  }

  private static Path server() {
    return Path.of("..", "server").toAbsolutePath().normalize();
  }

  /** The programs folder of a Python environment with the driver and cqlsh. */
  public static Path pythonPrograms() throws IOException {
    return pythonPrograms("venv", "cassandra-driver==3.30.1", "cqlsh==6.2.2", "lz4==4.4.5");
  }

  /**
   * The programs folder of a Python environment with these packages, created on first use. If it
   * cannot be created, the test is skipped with the reason; in continuous integration ({@code
   * CI=true}) it fails.
   */
  public static Path pythonPrograms(String name, String... packages) throws IOException {
    Path environment = folder().resolve(name);
    String wanted = String.join(" ", packages);
    installOnce(
        environment.resolve("complete"),
        wanted,
        () -> {
          require(folder(), List.of("python3", "-m", "venv", "--clear", environment.toString()));
          String pip = environment.resolve("bin/pip").toString();
          List<String> install = new ArrayList<>(List.of(pip, "install", "--quiet"));
          install.addAll(List.of(packages));
          require(folder(), install);
        });
    return environment.resolve("bin");
  }

  /** Installs packages. */
  private interface Installation {
    void run() throws IOException;
  }

  /**
   * Installs packages unless a file says that these have been installed. Tests that need them may
   * run side by side: the others wait.
   */
  private static void installOnce(Path complete, String wanted, Installation installation)
      throws IOException {
    Path lock = folder().resolve(complete.getParent().getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assert held.isValid();
      if (!Files.exists(complete) || !Files.readString(complete).equals(wanted)) {
        installation.run();
        Files.writeString(complete, wanted);
      }
    }
  }

  /**
   * The folder with the Node.js driver, created on first use. Without npm or its registry the test
   * is skipped; in continuous integration it fails.
   */
  public static Path nodeModules() throws IOException {
    return nodeModules("node", NODE_PACKAGE);
  }

  /** A folder with these packages for Node.js. */
  static Path nodeModules(String name, String... packages) throws IOException {
    requireProgram("npm");
    Path home = Files.createDirectories(folder().resolve(name));
    installOnce(
        home.resolve("complete"),
        String.join(" ", packages),
        () -> {
          List<String> install =
              new ArrayList<>(
                  List.of(
                      "npm",
                      "install",
                      "--silent",
                      "--fetch-retries=1",
                      "--fetch-timeout=30000",
                      "--prefix",
                      home.toString()));
          install.addAll(List.of(packages));
          fetch(folder(), install);
        });
    return home.resolve("node_modules");
  }

  /** A Go program, built with the modules of its {@code go.mod}; the test is skipped without Go. */
  public static Path goProgram(Path sources) throws IOException {
    requireProgram("go");
    Path program = folder().resolve("go-" + sources.getFileName());
    fetch(sources, List.of("go", "mod", "download"));
    require(sources, List.of("go", "build", "-o", program.toString(), "."));
    return program;
  }

  /**
   * A Rust program, built with the crates of its {@code Cargo.lock}; the test is skipped without
   * Cargo.
   */
  public static Path rustProgram(Path sources) throws IOException {
    requireProgram("cargo");
    Path target = folder().resolve("rust");
    fetch(sources, List.of("cargo", "fetch", "--quiet", "--locked"));
    require(
        sources,
        List.of(
            "cargo",
            "build",
            "--quiet",
            "--locked",
            "--offline",
            "--target-dir",
            target.toString()));
    return target.resolve("debug").resolve("clients");
  }

  /**
   * Skips the test where a toolchain is not installed; all of them are in continuous integration.
   */
  public static void requireProgram(String name) {
    for (String place : Pattern.compile(":").split(System.getenv().getOrDefault("PATH", ""))) {
      if (Files.isExecutable(Path.of(place, name))) {
        return;
      }
    }
    skipOrFail("Not tested, as " + name + " is not installed");
  }

  private static void fetch(Path where, List<String> command) throws IOException {
    fetch(where, command, isContinuousIntegration());
  }

  /** Skips the test if the package registry cannot be reached, or fails it. */
  static void fetch(Path where, List<String> command, boolean fail) throws IOException {
    Run run = run(command, where, Map.of());
    if (run.exitCode() != 0) {
      skipOrFail(
          "Not tested with this client, as `"
              + String.join(" ", command)
              + "` cannot download its packages: "
              + run.out()
              + run.err(),
          fail);
    }
  }

  private static void require(Path where, List<String> command) throws IOException {
    String trouble;
    try {
      Run run = run(command, where, Map.of());
      if (run.exitCode() == 0) {
        return;
      }
      trouble = run.out() + run.err();
    } catch (IOException e) {
      trouble = e.getMessage();
    }
    skipOrFail(
        "Not tested with this client, as `" + String.join(" ", command) + "` fails: " + trouble);
  }

  /** Skips the test, or fails in continuous integration ({@code CI=true}). */
  public static void skipOrFail(String message) {
    skipOrFail(message, isContinuousIntegration());
  }

  private static boolean isContinuousIntegration() {
    return "true".equals(System.getenv("CI"));
  }

  private static void skipOrFail(String message, boolean fail) {
    if (fail) {
      Assertions.fail(message);
    }
    Assumptions.abort(message);
  }

  /** Runs a program in a folder to its end. */
  public static Run run(List<String> command, Path folder, Map<String, String> environment)
      throws IOException {
    Path out = Files.createTempFile(folder(), "run", ".out");
    Path err = Files.createTempFile(folder(), "run", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      int exitCode = await(builder.start(), command);
      return new Run(
          exitCode,
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static int await(Process process, List<String> command) {
    try {
      if (!process.waitFor(LONGEST_RUN_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("timed out: " + command);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** A file or folder of the test resources. */
  public static Path resources(String name) {
    return server().resolve(Path.of("src", "test", "resources", "clients", name));
  }

  /**
   * Runs a compiled client, which is given the node's address and the values of all types, against
   * a new node; it must exit with 0.
   */
  static void checkClient(Path program, Path folder) throws IOException {
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      Run run =
          run(
              List.of(
                  program.toString(),
                  server.host(),
                  Integer.toString(server.port()),
                  ValuesOfTypes.file().toString()),
              folder,
              Map.of());
      assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    }
  }
}
