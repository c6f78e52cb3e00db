package io.helenus.server.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The output of cqlsh for the scripts under {@code clients/cqlsh}, and its recording.
 *
 * <p>As a program, {@code CqlshTranscript HOST:PORT CQLSH FOLDER} records the output with a running
 * Apache Cassandra next to the scripts of FOLDER ({@code recorded/}). Addresses, tokens, rates,
 * times, the server's version and the number of COPY's child processes are masked, as is the
 * warning that the versions of cqlsh and server differ.
 */
final class CqlshTranscript {
  /**
   * The format of cqlsh's {@code CopyTask.describe_interval}: below a second "0.123 seconds",
   * otherwise "0 day, 0 hour, 2 minutes, and 1.234 seconds"; other versions omit zero parts.
   */
  private static final String DURATION =
      "in (?:\\d+ (?:day|hour|minute)s?(?:, and |, | and ))*\\d+\\.\\d+ seconds";

  private static final List<String> COPIED = List.of("people.csv", "people2.csv", "people3.csv");

  private static final String VERSION_WARNING = "WARNING: cqlsh was built against";

  private final Path cqlsh;
  private final Path scripts;
  private final Path folder;
  private boolean versionWarned;

  CqlshTranscript(Path cqlsh, Path scripts, Path folder) {
    this.cqlsh = cqlsh;
    this.scripts = scripts;
    this.folder = folder;
  }

  /** Whether cqlsh warned that it was built for another version. */
  boolean versionWarned() {
    return versionWarned;
  }

  /**
   * Runs all scripts in order; returns file name → output, with exit codes and the files of COPY.
   */
  Map<String, String> take(String host, int port) throws IOException {
    Map<String, String> transcript = new TreeMap<>();
    StringBuilder exitCodes = new StringBuilder();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("broken.csv"), "7,seven\nnot a number,eight\n");
    for (Path script : scriptFiles()) {
      String name = String.valueOf(script.getFileName());
      Toolchain.Run run =
          Toolchain.run(
              List.of(
                  cqlsh.toString(),
                  "--no-color",
                  "--encoding=utf-8",
                  "-f",
                  script.toString(),
                  host,
                  Integer.toString(port)),
              folder,
              Map.of(
                  "HOME",
                  folder.toString(),
                  "PYTHONIOENCODING",
                  "utf-8",
                  "TZ",
                  "UTC",
                  "TERM",
                  "xterm",
                  "DISPLAY",
                  ""));
      transcript.put(name.replace(".cql", ".out"), tidy(run.out(), script));
      transcript.put(name.replace(".cql", ".err"), tidy(run.err(), script));
      exitCodes
          .append(name.replace(".cql", ""))
          .append(" exit ")
          .append(run.exitCode())
          .append('\n');
    }
    transcript.put("exit-codes", exitCodes.toString());
    for (String copied : COPIED) {
      Path file = folder.resolve(copied);
      transcript.put(copied, Files.exists(file) ? sortedLines(file) : "not there\n");
    }
    return transcript;
  }

  /** The recording, in the form in which {@link #take} returns the transcript. */
  Map<String, String> recorded() throws IOException {
    Map<String, String> transcript = new TreeMap<>();
    try (var files = Files.list(scripts.resolve("recorded"))) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        transcript.put(
            name, COPIED.contains(name) ? sortedLines(file) : tidy(Files.readString(file), file));
      }
    }
    return transcript;
  }

  private List<Path> scriptFiles() throws IOException {
    try (var files = Files.list(scripts)) {
      return files.filter(file -> file.toString().endsWith(".cql")).sorted().toList();
    }
  }

  private static String sortedLines(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
        .sorted()
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private String tidy(String text, Path script) {
    versionWarned |= text.contains(VERSION_WARNING);
    return text.replace(script.toString(), String.valueOf(script.getFileName()))
        .replaceAll("(?:Processed: [^\\r\\n]*[\\r\\n]*)+", "")
        .lines()
        .filter(line -> !line.startsWith(VERSION_WARNING))
        .map(CqlshTranscript::mask)
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** Masks the parts of a line that differ between runs. */
  static String mask(String line) {
    return line.replaceAll("Using \\d+ child processes", "Using * child processes")
        .replaceAll(DURATION, "in * seconds")
        .replaceAll("\\d+\\.\\d+\\.\\d+\\.\\d+:\\d+", "*:*")
        .replaceAll("^ +-?\\d+ (?= \\[)", "* ")
        .replaceAll("Cassandra \\d+\\.\\d+\\.\\d+ ", "Cassandra * ")
        .replaceAll("import_[a-z_]*\\.err(\\.\\d+_\\d+)?", "import_*.err");
  }

  /** The command-line entry point. */
  public static void main(String[] arguments) throws IOException {
    String address = arguments[0];
    int colon = address.lastIndexOf(':');
    Path scripts = Path.of(arguments[2]).toAbsolutePath();
    CqlshTranscript transcript =
        new CqlshTranscript(
            Path.of(arguments[1]).toAbsolutePath(),
            scripts,
            Files.createTempDirectory("cqlsh-transcript"));
    Path recorded = Files.createDirectories(scripts.resolve("recorded"));
    Map<String, String> taken =
        transcript.take(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    for (Map.Entry<String, String> entry : taken.entrySet()) {
      Files.writeString(recorded.resolve(entry.getKey()), entry.getValue());
    }
  }
}
