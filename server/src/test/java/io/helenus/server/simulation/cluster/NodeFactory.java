package io.helenus.server.simulation.cluster;

import java.io.IOException;

/** Starts the processes of a simulated cluster. */
interface NodeFactory {
  /** Starts a process; what it cannot do at once goes on by its event loops. */
  SimMember start(NodeEnvironment environment) throws IOException;
}
