package io.helenus.server.conformance;

import java.io.IOException;
import java.util.List;

/** Two servers that are sent the same statements: a reference and the subject of the test. */
interface ServerPair {

  /** The answers of both servers to one statement. */
  record Answers(List<String> expected, List<String> actual) {
    /** Whether what they show differs. */
    boolean differ() {
      return Difference.differ(expected, actual);
    }

    /** Whether both servers refused the statement. */
    boolean areRefusals() {
      return Difference.refused(expected) && Difference.refused(actual);
    }
  }

  /** Sends a statement to both servers. */
  Answers ask(Script.Statement statement) throws IOException;
}
