package io.helenus.server.cluster;

import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The members of the cluster that this node has met, by host id. One per node; any thread. */
public final class Members {
  private final ConcurrentHashMap<UUID, Member> byId = new ConcurrentHashMap<>();
  private final AtomicInteger met = new AtomicInteger(1);
  private final Member local;

  /** Of this node alone. */
  public Members(UUID localId) {
    local = new Member(localId, 0, true);
    byId.put(localId, local);
  }

  /** This node. */
  public Member local() {
    return local;
  }

  /** The member with a host id; one that was not met before is down until it is heard. */
  public Member of(UUID hostId) {
    return byId.computeIfAbsent(hostId, id -> new Member(id, met.getAndIncrement(), false));
  }

  /** The member with a host id; null if it was not met. */
  public @Nullable Member known(UUID hostId) {
    return byId.get(hostId);
  }

  /** All that were met. */
  public Collection<Member> all() {
    return byId.values();
  }
}
