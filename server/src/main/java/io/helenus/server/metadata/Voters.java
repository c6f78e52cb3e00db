package io.helenus.server.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Who decides the entries of the metadata log. A pure function. Stateless. */
final class Voters {
  private Voters() {}

  /**
   * Who should decide: one member, three from three confirmed ones on, five from five. Those that
   * decide stay; the members that joined first are added.
   *
   * @param confirmed the members that have their joins durably
   * @return the voters of the state, if nothing is to be changed
   */
  static List<UUID> wanted(ClusterState state, Set<UUID> confirmed) {
    List<UUID> voters = state.voters();
    List<UUID> candidates = new ArrayList<>(voters);
    for (UUID member : state.nodes().keySet()) {
      if (confirmed.contains(member) && !voters.contains(member)) {
        candidates.add(member);
      }
    }
    int count = candidates.size() >= 5 ? 5 : candidates.size() >= 3 ? 3 : 1;
    return count > voters.size() ? candidates.subList(0, count) : voters;
  }
}
