package io.helenus.server.node;

import io.helenus.server.protocol.Session;
import java.util.List;

/** What a node needs to know about its client transport. Any thread. */
public interface ClientDoor {
  /** The open connections. */
  List<Session> sessions();

  /** The port that clients connect to. */
  int port();
}
