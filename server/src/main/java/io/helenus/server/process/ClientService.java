package io.helenus.server.process;

import io.helenus.server.admin.CommandException;
import io.helenus.server.transport.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts and stops the service to clients while the node runs. Any thread. */
final class ClientService {
  private final ClientTransport transport;
  private final long graceMillis;
  private final Consumer<Boolean> changed;
  private CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);
  private @Nullable InetSocketAddress address;
  private boolean serving;

  /**
   * For a transport that has not started yet.
   *
   * @param changed is told whether clients are served
   */
  ClientService(ClientTransport transport, long graceMillis, Consumer<Boolean> changed) {
    this.changed = changed;
    this.transport = transport;
    this.graceMillis = graceMillis;
  }

  /**
   * Begins to serve clients; returns the address, with the actual port if 0 was given.
   *
   * @throws IOException if the address cannot be bound
   */
  synchronized InetSocketAddress open(InetSocketAddress configured) throws IOException {
    InetSocketAddress actual = transport.start(configured);
    address = actual;
    serving = true;
    changed.accept(true);
    return actual;
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
    InetSocketAddress again = address;
    if (again == null) {
      throw CommandException.failed(
          "the node serves clients by itself as soon as enough others have joined the cluster");
    }
    if (!stopped.isDone()) {
      throw CommandException.failed("the connections are still being closed; try again");
    }
    try {
      transport.resume(again);
      serving = true;
      changed.accept(true);
    } catch (IOException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()));
    }
  }
}
