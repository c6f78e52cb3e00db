package io.helenus.server.admin;

/** Who waits for the outcome of a command. Methods may be called from any thread. */
public interface Caller {
  /** Waits, and is not interested in progress. */
  Caller SILENT =
      new Caller() {
        @Override
        public boolean isWaiting() {
          return true;
        }

        @Override
        public void progress(String line) {}
      };

  /** Whether the outcome is still wanted; a command that takes long ends if it is not. */
  boolean isWaiting();

  /** Shows how far the command is: a line of ASCII without a line break. */
  void progress(String line);
}
