package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The links that other nodes have opened to one shard. On the shard's thread, unless stated. */
final class InboundLinks {
  private static final int PAUSED_PERIODS = 3;

  private final Shard shard;
  private final LinkEnvironment environment;
  private final RequestReceiver receiver;
  private final Consumer<InboundLink> identifiedOrGone;
  private final OutputQueue queue = new OutputQueue();
  private final LinkCounters counters = new LinkCounters();
  private final List<InboundLink> links = new ArrayList<>();
  private boolean checking;
  private long checkedNanos;

  /**
   * Before the first task of the shard.
   *
   * @param identifiedOrGone given each new stream that is not one without a known node any more
   */
  InboundLinks(
      Shard shard,
      LinkEnvironment environment,
      RequestReceiver receiver,
      Consumer<InboundLink> identifiedOrGone) {
    this.shard = shard;
    this.environment = environment;
    this.receiver = receiver;
    this.identifiedOrGone = identifiedOrGone;
    shard.onTickEnd(queue::flush);
  }

  /** A link for a stream that was accepted. Any thread. */
  InboundLink accepted() {
    return new InboundLink(shard, environment, receiver, this);
  }

  Shard shard() {
    return shard;
  }

  OutputQueue queue() {
    return queue;
  }

  LinkCounters counters() {
    return counters;
  }

  void identifiedOrGone(InboundLink link) {
    identifiedOrGone.accept(link);
  }

  void add(InboundLink link) {
    links.add(link);
    if (!checking) {
      checking = true;
      checkedNanos = shard.nanos();
      scheduleCheck();
    }
  }

  void remove(InboundLink link) {
    links.remove(link);
  }

  /** The links whose node is known. */
  List<InboundLink> open() {
    return links.stream().filter(InboundLink::isOpen).toList();
  }

  void closeAll(String reason) {
    for (InboundLink link : List.copyOf(links)) {
      link.close(reason);
    }
  }

  private void scheduleCheck() {
    shard.schedule(this::check, environment.settings().heartbeatNanos());
  }

  private void check() {
    if (links.isEmpty()) {
      checking = false;
      return;
    }
    long now = shard.readClock();
    boolean excused = now - checkedNanos > PAUSED_PERIODS * environment.settings().heartbeatNanos();
    checkedNanos = now;
    for (InboundLink link : List.copyOf(links)) {
      link.check(excused);
    }
    scheduleCheck();
  }
}
