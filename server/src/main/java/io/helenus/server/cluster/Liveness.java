package io.helenus.server.cluster;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Scheduler.Timer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@link Member#isUp} as the {@link FailureDetector} sees it, and reports changes. On the
 * thread of the home shard, except for {@link #phis}.
 */
public final class Liveness {
  private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

  private final Shard home;
  private final Members members;
  private final FailureDetector detector;
  private final long heartbeatNanos;
  private final Listener changed;
  private final Set<UUID> serving = new HashSet<>();
  private volatile Map<UUID, Double> phis = Map.of();
  private @Nullable Timer timer;
  private boolean stopped;

  /**
   * Creates it; nobody else is up.
   *
   * @param threshold {@code phi_convict_threshold}
   * @param heartbeatNanos how often a live peer is heard at least
   * @param changed is given each node that is alive from now on, or is not
   */
  public Liveness(
      Shard home, Members members, double threshold, long heartbeatNanos, Listener changed) {
    this.home = home;
    this.members = members;
    this.heartbeatNanos = heartbeatNanos;
    this.changed = changed;
    detector = new FailureDetector(threshold, heartbeatNanos, home.readClock());
  }

  /** Receives changes. */
  @FunctionalInterface
  public interface Listener {
    /** A node is alive from now on, or is not. */
    void changed(UUID host, boolean alive);
  }

  /** Begins to convict who is silent. */
  public void start() {
    timer = home.schedule(this::tick, heartbeatNanos);
  }

  /** Ends it: that links are closed from now on says nothing about their peers. */
  public void stop() {
    stopped = true;
    Timer running = timer;
    if (running != null) {
      running.cancel();
    }
  }

  /** A link to a node is open. */
  public void connected(UUID host) {
    apply(detector.connected(host, home.readClock()));
  }

  /** A link to a node is closed. */
  public void broken(UUID host, String reason) {
    apply(detector.broken(host, reason));
  }

  private void tick() {
    timer = home.schedule(this::tick, heartbeatNanos);
    for (Member member : members.all()) {
      long heard = member.heardNanos();
      if (heard != 0) {
        apply(detector.heard(member.hostId(), heard));
      }
    }
    long now = home.readClock();
    apply(detector.tick(now));
    phis = detector.phis(now);
  }

  /** A node says whether it serves requests: one that does not is sent none. */
  public void serves(UUID host, boolean does) {
    if (does ? serving.add(host) : serving.remove(host)) {
      set(host);
    }
  }

  private void apply(List<FailureDetector.Change> changes) {
    if (stopped) {
      return;
    }
    for (FailureDetector.Change change : changes) {
      LOG.info("Node {} is {}: {}", change.host(), change.alive() ? "up" : "down", change.reason());
      if (!change.alive()) {
        // whether its next run serves, that says itself
        serving.remove(change.host());
      }
      set(change.host());
      changed.changed(change.host(), change.alive());
    }
  }

  private void set(UUID host) {
    members.of(host).up(detector.isAlive(host) && serving.contains(host));
  }

  /** The nodes that are alive. */
  List<UUID> alive() {
    return members.all().stream().map(Member::hostId).filter(detector::isAlive).toList();
  }

  /** Whether a node is alive. */
  boolean isAlive(UUID host) {
    return detector.isAlive(host);
  }

  /** The suspicion of each node, as of the last second. Any thread. */
  public Map<UUID, Double> phis() {
    return phis;
  }
}
