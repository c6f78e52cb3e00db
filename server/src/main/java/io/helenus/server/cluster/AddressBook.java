package io.helenus.server.cluster;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the members are reached. The addresses in the metadata log are hints, since all members may
 * come back elsewhere at once: what a member says in its handshake, or others have heard from it,
 * replaces them, and of several the one of the latest life. Pure; one thread.
 */
public final class AddressBook {
  private final Map<UUID, MemberAddress> logged = new TreeMap<>();
  private final Map<UUID, MemberAddress> latest = new TreeMap<>();

  /** The members' addresses by the metadata log, which replace those of an earlier entry. */
  public void logged(Map<UUID, MemberAddress> addresses) {
    logged.clear();
    logged.putAll(addresses);
  }

  /** A member was reached at an address, by this node or another one. Returns whether it is new. */
  public boolean learn(UUID host, MemberAddress address) {
    MemberAddress known = latest.get(host);
    if (known != null && known.life() >= address.life()) {
      return false;
    }
    latest.put(host, address);
    return true;
  }

  /** The latest address of a host; null if none is known. */
  public @Nullable MemberAddress of(UUID host) {
    MemberAddress known = latest.get(host);
    return known != null ? known : logged.get(host);
  }

  /** Where a host may be reached, the latest first. */
  public SequencedSet<Endpoint> endpoints(UUID host) {
    SequencedSet<Endpoint> endpoints = new LinkedHashSet<>();
    for (MemberAddress address : new MemberAddress[] {latest.get(host), logged.get(host)}) {
      if (address != null) {
        endpoints.add(address.node());
      }
    }
    return endpoints;
  }

  /** The hosts with an address, by the log or by others. */
  public Set<UUID> hosts() {
    return entries().keySet();
  }

  /** The latest address of each host. */
  public Map<UUID, MemberAddress> entries() {
    Map<UUID, MemberAddress> entries = new TreeMap<>(logged);
    entries.putAll(latest);
    return Collections.unmodifiableMap(entries);
  }

  /**
   * The address of this node that the metadata log does not have yet, which it should propose; null
   * if there is none. Each member proposes its own only, so that no two propose the same.
   */
  public @Nullable MemberAddress toPropose(UUID self) {
    MemberAddress inLog = logged.get(self);
    MemberAddress now = latest.get(self);
    return inLog == null || now == null || inLog.samePlaces(now) ? null : now;
  }
}
