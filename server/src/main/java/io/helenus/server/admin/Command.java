package io.helenus.server.admin;

import java.io.IOException;

/** A command of the administration endpoint. Runs on a thread for administration and may block. */
@FunctionalInterface
public interface Command {
  /** Carries out the command; returns the text to print, which ends with a line break if any. */
  String run(Invocation invocation) throws CommandException, IOException;
}
