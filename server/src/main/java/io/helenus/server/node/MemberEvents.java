package io.helenus.server.node;

import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.Event.StatusChange;
import io.helenus.server.protocol.Event.TopologyChange;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What drivers learn of other members of the cluster: that one is new, up or down, each once, in
 * Cassandra's order. A new one is announced when it serves clients for the first time, since
 * drivers connect to it at once. Any thread.
 */
public final class MemberEvents {
  private final UUID self;
  private final Consumer<? super Event> events;

  /** The members that drivers have not heard of. */
  private final Set<UUID> unannounced = new HashSet<>();

  /** Where clients reach each member that was ever up. */
  private final Map<UUID, InetSocketAddress> addresses = new HashMap<>();

  /** The members that are up. */
  private final Set<UUID> up = new HashSet<>();

  /**
   * Events of a node that starts. Those that are members already are not announced as new.
   *
   * @param self the node, of which its own clients hear nothing
   * @param events publishes events to clients
   */
  MemberEvents(UUID self, Consumer<? super Event> events) {
    this.self = self;
    this.events = events;
  }

  /** A node has become a member. */
  synchronized void joined(UUID hostId) {
    unannounced.add(hostId);
  }

  /**
   * A member is alive and serves clients; no effect if this was known. If it serves them at another
   * address than before, drivers hear of a node that is gone and of a new one, because they tell
   * nodes apart by their addresses.
   *
   * @param client where clients reach it
   */
  public synchronized void up(UUID hostId, InetSocketAddress client) {
    if (hostId.equals(self)) {
      return;
    }
    InetSocketAddress before = addresses.put(hostId, client);
    boolean moved = before != null && !before.equals(client);
    if (moved) {
      topology(TopologyChange.Change.REMOVED_NODE, before);
    }
    if (unannounced.remove(hostId) || moved) {
      topology(TopologyChange.Change.NEW_NODE, client);
    }
    if (up.add(hostId) || moved) {
      status(StatusChange.Change.UP, client);
    }
  }

  /** A member is down, or does not serve clients any more; no effect unless it was up. */
  public synchronized void down(UUID hostId) {
    InetSocketAddress client = addresses.get(hostId);
    if (up.remove(hostId) && client != null) {
      status(StatusChange.Change.DOWN, client);
    }
  }

  private void topology(TopologyChange.Change change, InetSocketAddress client) {
    events.accept(new TopologyChange(change, client.getAddress().getAddress(), client.getPort()));
  }

  private void status(StatusChange.Change change, InetSocketAddress client) {
    events.accept(new StatusChange(change, client.getAddress().getAddress(), client.getPort()));
  }
}
