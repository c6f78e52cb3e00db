package io.helenus.server.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command to run. Immutable.
 *
 * @param command its name, as in Cassandra's nodetool
 * @param options by long name without dashes; a flag has an empty value
 * @param arguments the positional arguments
 * @param caller who waits for the outcome
 */
public record Invocation(
    String command, Map<String, String> options, List<String> arguments, Caller caller) {
  /** Copies. */
  public Invocation {
    options = Map.copyOf(options);
    arguments = List.copyOf(arguments);
  }

  /** Whether an option was given. */
  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** The value of an option; null if it was not given. */
  public @Nullable String option(String name) {
    return options.get(name);
  }

  /** The argument at an index; null if there are fewer. */
  public @Nullable String argument(int index) {
    return index < arguments.size() ? arguments.get(index) : null;
  }

  /**
   * The argument at an index.
   *
   * @param message of the refusal if there are fewer
   */
  public String required(int index, String message) throws CommandException {
    if (index >= arguments.size()) {
      throw CommandException.usage(message);
    }
    return arguments.get(index);
  }

  /** Refuses more than this number of arguments. */
  public void atMost(int count, String message) throws CommandException {
    if (arguments.size() > count) {
      throw CommandException.usage(message);
    }
  }
}
