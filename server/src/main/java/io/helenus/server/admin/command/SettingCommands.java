package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.coordinator.Timeouts;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Commands that change settings until the next start. Any thread. */
final class SettingCommands {
  private static final List<String> TYPES =
      List.of("read", "range", "write", "counterwrite", "cascontention", "truncate");
  private static final String ONE_OF = "one of (" + String.join(", ", TYPES) + ")";

  private final AdminNode node;

  SettingCommands(AdminNode node) {
    this.node = node;
  }

  String getTimeout(Invocation invocation) throws CommandException {
    String usage = "gettimeout requires a timeout type, " + ONE_OF;
    invocation.atMost(1, usage);
    String type = invocation.required(0, usage);
    long nanos = nanos(node.timeouts())[index(type)];
    return "Current timeout for type "
        + type
        + ": "
        + TimeUnit.NANOSECONDS.toMillis(nanos)
        + " ms\n";
  }

  String setTimeout(Invocation invocation) throws CommandException {
    String usage =
        "Timeout type followed by value in ms (0 disables socket streaming timeout). Type should be"
            + " "
            + ONE_OF;
    invocation.atMost(2, usage);
    String type = invocation.required(0, usage);
    String text = invocation.required(1, usage);
    long millis;
    try {
      millis = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw CommandException.usage("For input string: \"" + text + "\"");
    }
    if (millis < 0) {
      throw CommandException.usage("timeout must be non-negative");
    }
    long[] nanos = nanos(node.timeouts());
    nanos[index(type)] = TimeUnit.MILLISECONDS.toNanos(millis);
    node.timeouts(new Timeouts(nanos[0], nanos[1], nanos[2], nanos[3], nanos[4], nanos[5]));
    return "";
  }

  private static int index(String type) throws CommandException {
    int index = TYPES.indexOf(type);
    if (index < 0) {
      throw CommandException.usage("Timeout type requires " + ONE_OF);
    }
    return index;
  }

  /** In the order of the types. */
  private static long[] nanos(Timeouts timeouts) {
    return new long[] {
      timeouts.readNanos(),
      timeouts.rangeNanos(),
      timeouts.writeNanos(),
      timeouts.counterNanos(),
      timeouts.casNanos(),
      timeouts.truncateNanos()
    };
  }

  String getLoggingLevels(Invocation invocation) {
    StringBuilder out = new StringBuilder();
    out.append(String.format(Locale.ROOT, "%n%-50s%10s%n", "Logger Name", "Log Level"));
    node.logLevels()
        .forEach(
            (logger, level) ->
                out.append(String.format(Locale.ROOT, "%-50s%10s%n", logger, level)));
    return out.toString();
  }

  /** With a level that does not exist, DEBUG is set, as in Cassandra. */
  String setLoggingLevel(Invocation invocation) throws CommandException {
    invocation.atMost(2, "setlogginglevel takes a class and a level");
    String logger = invocation.argument(0);
    if (logger == null) {
      node.resetLogLevels();
    } else {
      node.logLevel(logger, invocation.argument(1));
    }
    return "";
  }
}
