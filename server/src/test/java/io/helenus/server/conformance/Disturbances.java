package io.helenus.server.conformance;

import java.io.IOException;

/** The operations performed on the server between statements. */
final class Disturbances {
  private Disturbances() {}

  /** Flushes after every statement that may have written. */
  static ScriptRunner.Disturbance flushAfterEveryWrite(ServerUnderTest server) {
    return new Disturbing() {
      @Override
      public boolean before(boolean read) throws IOException {
        if (takeWritten(read)) {
          server.flush();
        }
        return false;
      }
    };
  }

  /**
   * Flushes after every write; flushes, compacts and restarts before the first read after a write,
   * so that no read is served from memtables.
   */
  static ScriptRunner.Disturbance restartBeforeReads(ServerUnderTest server) {
    return new Disturbing() {
      private boolean dirty;

      @Override
      public boolean before(boolean read) throws IOException {
        if (takeWritten(read)) {
          server.flush();
          dirty = true;
        }
        if (!read || !dirty) {
          return false;
        }
        dirty = false;
        server.compact();
        server.restart();
        return true;
      }
    };
  }

  /** Remembers whether the previous statement was a write. */
  private abstract static class Disturbing implements ScriptRunner.Disturbance {
    private boolean written;

    /** Whether something may have been written since the last call. */
    boolean takeWritten(boolean read) {
      boolean before = written;
      written = !read;
      return before;
    }
  }
}
