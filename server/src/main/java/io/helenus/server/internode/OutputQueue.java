package io.helenus.server.internode;

import java.util.ArrayList;
import java.util.List;

/** The connections of a shard that have output, for one write each at the end of a tick. */
final class OutputQueue {
  private final List<Connection> waiting = new ArrayList<>();

  void add(Connection connection) {
    waiting.add(connection);
  }

  void flush() {
    // a write that fails may close a connection, whose users may send on others
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).flush();
    }
    waiting.clear();
  }
}
