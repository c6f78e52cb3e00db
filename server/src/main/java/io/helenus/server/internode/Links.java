package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The links of a shard to other nodes: to hosts, and to addresses whose host is not known yet.
 * Costs nothing while there are none. On the shard's thread, except for the constructor.
 */
public final class Links {
  /** A check that is so many times too late shows that the shard itself did not run. */
  private static final int PAUSED_PERIODS = 3;

  private final Shard shard;
  private final LinkEnvironment environment;
  private final LinkListener listener;
  private final OutputQueue queue = new OutputQueue();
  private final Map<UUID, Link> byHost = new LinkedHashMap<>();
  private final Map<InetSocketAddress, Link> byAddress = new LinkedHashMap<>();
  private LinkCounts ofClosed = LinkCounts.NONE;
  private boolean checking;
  private long checkedNanos;

  /** No links. To be called before the first task of the shard. */
  public Links(Shard shard, LinkEnvironment environment, LinkListener listener) {
    this.shard = shard;
    this.environment = environment;
    this.listener = listener;
    shard.beforeLogWrite(queue::flush);
  }

  /**
   * The link to a host, which is dialled from now on if it was not wanted before.
   *
   * @param address where the host is now; used from the next dial on
   */
  public Link want(UUID hostId, InetSocketAddress address) {
    Link known = byHost.get(hostId);
    if (known != null) {
      known.address(address);
      return known;
    }
    Link link = new Link(shard, environment, listener, queue, hostId, address);
    byHost.put(hostId, link);
    start(link);
    return link;
  }

  /** A host has opened a link to this node: the link to it need not wait to be dialled again. */
  public void dialNow(UUID hostId) {
    Link known = byHost.get(hostId);
    if (known != null) {
      known.dialNow();
    }
  }

  /** The link to whatever node has an address, which is dialled from now on. */
  public Link want(InetSocketAddress address) {
    Link known = byAddress.get(address);
    if (known != null) {
      return known;
    }
    Link link = new Link(shard, environment, listener, queue, null, address);
    byAddress.put(address, link);
    start(link);
    return link;
  }

  private void start(Link link) {
    if (!checking) {
      checking = true;
      checkedNanos = shard.nanos();
      scheduleCheck();
    }
    link.dial();
  }

  /** The link to a host; null if none is wanted. */
  public @Nullable Link get(UUID hostId) {
    return byHost.get(hostId);
  }

  /** Closes a link, which is not wanted any more. */
  public void close(Link link) {
    boolean known =
        link.expected() == null
            ? byAddress.remove(link.address(), link)
            : byHost.remove(link.expected(), link);
    if (known) {
      link.close("it is not wanted any more");
      ofClosed = ofClosed.plus(link.counts());
    }
  }

  /** Closes all links. */
  public void closeAll() {
    all().forEach(this::close);
  }

  /** All links that are wanted. */
  public List<Link> all() {
    List<Link> all = new ArrayList<>(byHost.values());
    all.addAll(byAddress.values());
    return all;
  }

  /** What all links have done since the node started. */
  public LinkCounts counts() {
    LinkCounts sum = ofClosed;
    for (Link link : all()) {
      sum = sum.plus(link.counts());
    }
    return sum;
  }

  private void scheduleCheck() {
    shard.schedule(this::check, environment.settings().heartbeatNanos());
  }

  private void check() {
    List<Link> links = all();
    if (links.isEmpty()) {
      checking = false;
      return;
    }
    long now = shard.readClock();
    boolean excused = now - checkedNanos > PAUSED_PERIODS * environment.settings().heartbeatNanos();
    checkedNanos = now;
    for (Link link : links) {
      link.check(excused);
    }
    scheduleCheck();
  }
}
