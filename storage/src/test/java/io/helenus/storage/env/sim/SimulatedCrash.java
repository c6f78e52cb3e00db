package io.helenus.storage.env.sim;

/**
 * A simulated crash of the machine or the process: nothing after it runs. Caught only by the
 * simulation.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  /** Names the operation that was not executed, or only in part. */
  public SimulatedCrash(String operation) {
    super("crash at " + operation, null, false, false);
  }
}
