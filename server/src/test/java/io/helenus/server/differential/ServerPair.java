package io.helenus.server.differential;

import io.helenus.server.conformance.Script;
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

    /** Whether only texts of refusals differ, so that both servers have done the same. */
    boolean differInRefusals() {
      boolean same = expected.size() == actual.size();
      for (int i = 0; same && i < expected.size(); i++) {
        same =
            expected.get(i).equals(actual.get(i))
                || expected.get(i).startsWith("!") && actual.get(i).startsWith("!");
      }
      return same;
    }

    /** Whether both servers refused the statement. */
    boolean areRefusals() {
      return Difference.refused(expected) && Difference.refused(actual);
    }
  }

  /** Sends a statement to both servers. */
  Answers ask(Script.Statement statement) throws IOException;
}
