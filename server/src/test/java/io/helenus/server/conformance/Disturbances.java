package io.helenus.server.conformance;

import java.io.IOException;

/**
 * The operations performed on the server between statements of one script. A long script would take
 * minutes in flushes and restarts: after the first {@link #CERTAIN} only every twentieth is
 * performed, unless {@code -Dconformance.thorough=true} asks for all of them.
 */
final class Disturbances {
  private static final int CERTAIN = 5;
  private static final int LATER_INTERVAL = 20;
  private static final boolean THOROUGH = Boolean.getBoolean("conformance.thorough");

  private Disturbances() {}

  /** Flushes after every statement that may have written. */
  static ScriptRunner.Disturbance flushAfterEveryWrite(ServerUnderTest server) {
    return new Disturbing() {
      @Override
      public boolean before(boolean read) throws IOException {
        if (takeWritten(read) && flushes.next()) {
          server.flush();
        }
        return false;
      }
    };
  }

  /**
   * Flushes after every write; compacts and restarts before the first read after a write, so that
   * it is not served from memtables.
   */
  static ScriptRunner.Disturbance restartBeforeReads(ServerUnderTest server) {
    return new Disturbing() {
      private final Occasions restarts = new Occasions();
      private boolean dirty;

      @Override
      public boolean before(boolean read) throws IOException {
        if (takeWritten(read)) {
          dirty = true;
          if (flushes.next()) {
            server.flush();
          }
        }
        if (!read || !dirty) {
          return false;
        }
        dirty = false;
        if (!restarts.next()) {
          return false;
        }
        server.compact();
        server.restart();
        return true;
      }
    };
  }

  /** Counts the occasions for an operation. */
  private static final class Occasions {
    private int count;

    /** Whether the operation is performed on the next occasion. */
    boolean next() {
      int occasion = count++;
      return THOROUGH || occasion < CERTAIN || occasion % LATER_INTERVAL == 0;
    }
  }

  /** Remembers whether the previous statement was a write. */
  private abstract static class Disturbing implements ScriptRunner.Disturbance {
    final Occasions flushes = new Occasions();
    private boolean written;

    /** Whether something may have been written since the last call. */
    boolean takeWritten(boolean read) {
      boolean before = written;
      written = !read;
      return before;
    }
  }
}
