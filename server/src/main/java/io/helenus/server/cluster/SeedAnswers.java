package io.helenus.server.cluster;

import io.helenus.server.cluster.Hello.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the seeds have answered last, as long as this node is no member. Pure; one thread. */
final class SeedAnswers {
  private final SequencedSet<Endpoint> seeds;
  private final Map<Endpoint, Answer> latest = new HashMap<>();

  /** Since when all others are empty and nobody claims the address. */
  private long emptySince;

  private boolean allEmpty;
  private @Nullable String claim;

  private record Answer(Hello hello, long nanos) {}

  SeedAnswers(SequencedSet<Endpoint> seeds) {
    this.seeds = seeds;
  }

  void answered(Endpoint from, Hello hello, long now) {
    latest.put(from, new Answer(hello, now));
  }

  void silent(Endpoint from) {
    latest.remove(from);
  }

  /** A node of a cluster has dialled this one: there is a cluster already. */
  void claimed(Hello by, long now) {
    claim = by.who() + " of cluster " + by.clusterId();
    allEmpty = false;
  }

  /** The first seed that is a member, of this cluster if one is named. */
  @Nullable Endpoint member(@Nullable UUID ofCluster) {
    for (Endpoint seed : seeds) {
      Answer answer = latest.get(seed);
      if (answer != null
          && answer.hello.status() == Status.MEMBER
          && (ofCluster == null || ofCluster.equals(answer.hello.clusterId()))) {
        return seed;
      }
    }
    return null;
  }

  /** A text if seeds belong to different clusters; else null. */
  @Nullable String conflict() {
    Endpoint first = null;
    UUID cluster = null;
    for (Endpoint seed : seeds) {
      Answer answer = latest.get(seed);
      UUID other = answer == null ? null : answer.hello.clusterId();
      if (cluster != null && other != null && !cluster.equals(other)) {
        return "the seeds belong to different clusters, "
            + first
            + " to "
            + cluster
            + " and "
            + seed
            + " to "
            + other
            + ": correct the seeds";
      }
      if (other != null) {
        first = seed;
        cluster = other;
      }
    }
    return null;
  }

  /**
   * Whether every seed but this node has been empty, with the same first seed, for some time, and
   * has said so again at its end, and no member has claimed the address.
   */
  boolean allEmptyFor(long nanos, Set<Endpoint> own, long now) {
    for (Endpoint seed : seeds) {
      if (!own.contains(seed) && !isEmptyAndAgrees(latest.get(seed))) {
        allEmpty = false;
        return false;
      }
    }
    if (!allEmpty) {
      allEmpty = true;
      emptySince = now;
      return false;
    }
    if (now - emptySince < nanos) {
      return false;
    }
    for (Endpoint seed : seeds) {
      Answer answer = latest.get(seed);
      if (answer != null && answer.nanos - emptySince <= 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isEmptyAndAgrees(@Nullable Answer answer) {
    return answer != null && answer.hello.status() == Status.EMPTY && agrees(answer.hello);
  }

  private boolean agrees(Hello hello) {
    return hello.firstSeed().equals(seeds.getFirst().toString());
  }

  private static String text(Status status, boolean first) {
    return switch (status) {
      case EMPTY -> " is empty";
      case FIRST_SEED ->
          first ? " takes itself for the first seed, too (give addresses)" : " is empty";
      case JOINING -> " is joining";
      case MEMBER -> " is a member";
    };
  }

  /** What keeps this node from becoming a member, for the log. */
  String waitingFor(Set<Endpoint> own, @Nullable UUID clusterId) {
    boolean first = own.contains(seeds.getFirst());
    List<String> parts = new ArrayList<>();
    for (Endpoint seed : seeds) {
      Answer answer = latest.get(seed);
      if (own.contains(seed)) {
        continue;
      }
      if (answer == null) {
        parts.add(seed + " does not answer");
      } else if (!agrees(answer.hello)) {
        parts.add(
            seed
                + " names "
                + answer.hello.firstSeed()
                + " as its first seed, this node "
                + seeds.getFirst()
                + " (start all nodes with the same first seed)");
      } else {
        parts.add(seed + text(answer.hello.status(), first));
      }
    }
    String others = parts.isEmpty() ? "no other seed is named" : String.join(", ", parts);
    return whatFor(first, clusterId) + ": " + others;
  }

  private String whatFor(boolean first, @Nullable UUID clusterId) {
    if (clusterId != null) {
      return "This node has begun to join cluster " + clusterId + " and waits for a member of it";
    }
    if (!first) {
      return "This node waits for a seed that is a member";
    }
    if (claim == null) {
      return "This node is the first seed; it founds a cluster once all other seeds answer that"
          + " they are empty";
    }
    return "This node is the first seed, but does not found a cluster, since "
        + claim
        + " has reached it: name a member as seed, or stop the nodes of that cluster";
  }
}
