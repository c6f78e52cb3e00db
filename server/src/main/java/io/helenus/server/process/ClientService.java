package io.helenus.server.process;

import io.helenus.server.admin.CommandException;
import io.helenus.server.transport.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Starts and stops the service to clients while the node runs. Any thread. */
final class ClientService {
  private final ClientTransport transport;
  private final InetSocketAddress address;
  private final long graceMillis;
  private final Consumer<Boolean> changed;
  private CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);
  private boolean serving = true;

  /**
   * For a transport that listens on this address.
   *
   * @param changed is told whether clients are served
   */
  ClientService(
      ClientTransport transport,
      InetSocketAddress address,
      long graceMillis,
      Consumer<Boolean> changed) {
    this.changed = changed;
    this.transport = transport;
    this.address = address;
    this.graceMillis = graceMillis;
  }

  synchronized boolean isServing() {
    return serving;
  }

  /** Stops listening and closes the connections; see {@link ClientTransport#stop}. */
  synchronized CompletableFuture<Void> stop(boolean force) {
    if (serving) {
      serving = false;
      changed.accept(false);
      stopped = transport.stop(force ? 0 : graceMillis);
    }
    return stopped;
  }

  /** Listens again. */
  synchronized void start() throws CommandException {
    if (serving) {
      return;
    }
    if (!stopped.isDone()) {
      throw CommandException.failed("the connections are still being closed; try again");
    }
    try {
      transport.resume(address);
      serving = true;
      changed.accept(true);
    } catch (IOException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()));
    }
  }
}
