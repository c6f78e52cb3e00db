package io.helenus.server.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at the start about a low limit of open files. A node has one open for each SSTable, each of
 * its indexes and each connection; without them flushes wait and connections are not accepted.
 * Stateless.
 */
final class OpenFileLimit {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFileLimit.class);

  /** Enough for thousands of tables or connections. */
  private static final long ENOUGH = 10_000;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String NAME = "Max open files";

  private OpenFileLimit() {}

  static void warn() {
    long limit = read(LIMITS);
    if (limit < ENOUGH) {
      LOG.warn(
          "This process may open {} files only; with many tables or connections that is too few."
              + " Raise the limit to {} or more (ulimit -Hn, LimitNOFILE of systemd).",
          limit,
          ENOUGH);
    }
  }

  /** The limit in force, which the JVM has raised as far as it may; the largest if unknown. */
  static long read(Path limits) {
    List<String> lines;
    try {
      lines = Files.readAllLines(limits);
    } catch (IOException e) {
      return Long.MAX_VALUE; // another system than Linux
    }
    for (String line : lines) {
      if (line.startsWith(NAME)) {
        String soft = line.substring(NAME.length()).strip();
        int end = 0;
        while (end < soft.length() && Character.isDigit(soft.charAt(end))) {
          end++;
        }
        return end == 0 ? Long.MAX_VALUE : Long.parseLong(soft, 0, end, 10); // or "unlimited"
      }
    }
    return Long.MAX_VALUE;
  }
}
