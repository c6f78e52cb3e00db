package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes the links that other nodes open, and gives each to a shard. Any thread, unless stated
 * otherwise.
 */
public final class Inbound implements Network.Acceptor {
  private final LinkEnvironment environment;
  private final List<InboundLinks> ofShards = new ArrayList<>();

  /** The streams whose node is not known yet, oldest first. */
  private final Queue<InboundLink> unidentified = new ConcurrentLinkedQueue<>();

  /** Their number, which the queue would have to count. */
  private final AtomicInteger unidentifiedCount = new AtomicInteger();

  /**
   * Takes nothing before {@link #listen}. To be called before the first task of the shards.
   *
   * @param shards in the order of their indexes
   * @param receivers for each shard, receives the requests
   */
  public Inbound(
      LinkEnvironment environment, List<Shard> shards, List<? extends RequestReceiver> receivers) {
    this.environment = environment;
    for (int i = 0; i < shards.size(); i++) {
      ofShards.add(
          new InboundLinks(shards.get(i), environment, receivers.get(i), this::identifiedOrGone));
    }
  }

  /**
   * Takes links on an address until the result is closed; links that are open stay so.
   *
   * @throws IOException if the address cannot be used; the message says why
   */
  public Closeable listen(InetSocketAddress address) throws IOException {
    return environment.network().listen(address, this);
  }

  /**
   * Takes a stream. If too many are open whose node is not known, the oldest of them is closed: who
   * belongs to the cluster says so at once, so that no number of others keeps it out.
   */
  @Override
  public StreamHandler accepted(int loop) {
    InboundLink link = ofShards.get(loop).accepted();
    unidentified.add(link);
    if (unidentifiedCount.incrementAndGet() > environment.settings().maxUnidentified()) {
      InboundLink oldest = unidentified.poll();
      if (oldest != null) {
        unidentifiedCount.decrementAndGet();
        oldest.shard().execute(oldest::giveWay);
      }
    }
    return link.handler();
  }

  private void identifiedOrGone(InboundLink link) {
    if (unidentified.remove(link)) {
      unidentifiedCount.decrementAndGet();
    }
  }

  /** The links to a shard whose node is known. On the shard's thread. */
  public List<InboundLink> links(Shard shard) {
    return ofShards.get(shard.index()).open();
  }

  /** What the links to a shard have done since the node started. On the shard's thread. */
  public LinkCounts counts(Shard shard) {
    return ofShards.get(shard.index()).counters().counts();
  }

  /** Closes all links. */
  public void closeAll(String reason) {
    for (InboundLinks each : ofShards) {
      each.shard().execute(() -> each.closeAll(reason));
    }
  }
}
