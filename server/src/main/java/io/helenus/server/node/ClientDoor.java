package io.helenus.server.node;

import io.helenus.server.protocol.Session;
import java.util.List;

/** What a node wants to know of the door that clients come through. Any thread. */
public interface ClientDoor {
  /** The connections there are. */
  List<Session> sessions();

  /** The port that clients connect to. */
  int port();
}
