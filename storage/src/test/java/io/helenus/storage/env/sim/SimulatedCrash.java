package io.helenus.storage.env.sim;

/** The machine or the process stops here: nothing after it runs. Caught by the simulation only. */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  /** Names the operation that was not done any more, or in part only. */
  public SimulatedCrash(String operation) {
    super("crash at " + operation, null, false, false);
  }
}
