package io.helenus.server.node;

import io.helenus.server.protocol.Session;
import java.util.List;

/** The client connections of a node, as shown in system tables. Any thread. */
public interface ClientConnections {
  /** The open connections. */
  List<Session> sessions();

  /** The port that clients connect to. */
  int port();
}
