package io.helenus.server.ring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The number of replicas of a row, and their placement. Immutable and pure; created from options by
 * {@link ReplicationOptions}.
 */
public sealed interface ReplicationStrategy {
  /** The prefix of the class names of Cassandra's strategies. */
  String CLASS_PREFIX = "org.apache.cassandra.locator.";

  /** The name of the option for the class. */
  String CLASS_OPTION = "class";

  /** The name of the option for the number of replicas. */
  String FACTOR_OPTION = "replication_factor";

  /** The name of the strategy without its package. */
  String simpleName();

  /** The options as stored: the full class name and the others as texts, sorted by name. */
  Map<String, String> options();

  /** The total number of replicas. */
  int replicationFactor();

  /** The number of replicas in each datacenter; a single number if there is one for all. */
  default List<Integer> factorsByDatacenter() {
    return List.of(replicationFactor());
  }

  /** The replicas of the range at an index of the ring, its owner first. */
  List<RingNode> replicas(TokenRing ring, int index, RingNode local);

  /**
   * One number for all datacenters: the next nodes on the ring.
   *
   * @param factor the number of replicas
   */
  record Simple(ReplicationFactor factor) implements ReplicationStrategy {
    @Override
    public String simpleName() {
      return "SimpleStrategy";
    }

    @Override
    public Map<String, String> options() {
      return withClass(this, Map.of(FACTOR_OPTION, factor.text()));
    }

    @Override
    public int replicationFactor() {
      return factor.replicas();
    }

    @Override
    public List<RingNode> replicas(TokenRing ring, int index, RingNode local) {
      int wanted = Math.min(replicationFactor(), ring.nodes().size());
      List<RingNode> replicas = new ArrayList<>(wanted);
      for (int i = 0; i < ring.size() && replicas.size() < wanted; i++) {
        RingNode node = ring.ownerAt((index + i) % ring.size());
        if (!replicas.contains(node)) {
          replicas.add(node);
        }
      }
      return replicas;
    }
  }

  /**
   * One number per datacenter: in each the next nodes on the ring, nodes in racks not used yet
   * first.
   *
   * @param factors datacenter to number of replicas, sorted
   */
  record NetworkTopology(SortedMap<String, ReplicationFactor> factors)
      implements ReplicationStrategy {
    /** Keeps an immutable copy. */
    public NetworkTopology {
      factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    }

    @Override
    public String simpleName() {
      return "NetworkTopologyStrategy";
    }

    @Override
    public Map<String, String> options() {
      Map<String, String> texts = new TreeMap<>();
      factors.forEach((datacenter, factor) -> texts.put(datacenter, factor.text()));
      return withClass(this, texts);
    }

    @Override
    public int replicationFactor() {
      int sum = 0;
      for (ReplicationFactor factor : factors.values()) {
        sum += factor.replicas();
      }
      return sum;
    }

    @Override
    public List<Integer> factorsByDatacenter() {
      return factors.values().stream().map(ReplicationFactor::replicas).toList();
    }

    /** The number of replicas in a datacenter; 0 if it is not named. */
    public int replicationFactor(String datacenter) {
      ReplicationFactor factor = factors.get(datacenter);
      return factor == null ? 0 : factor.replicas();
    }

    @Override
    public List<RingNode> replicas(TokenRing ring, int index, RingNode local) {
      Map<String, DatacenterShare> shares = new HashMap<>();
      for (String datacenter : factors.keySet()) {
        DatacenterShare share = DatacenterShare.of(ring, datacenter, replicationFactor(datacenter));
        if (share.missing > 0) {
          shares.put(datacenter, share);
        }
      }
      List<RingNode> replicas = new ArrayList<>();
      int incomplete = shares.size();
      for (int i = 0; i < ring.size() && incomplete > 0; i++) {
        RingNode node = ring.ownerAt((index + i) % ring.size());
        DatacenterShare share = shares.get(node.datacenter());
        if (share != null && share.missing > 0 && !replicas.contains(node) && share.take(node)) {
          replicas.add(node);
          incomplete -= share.missing == 0 ? 1 : 0;
        }
      }
      return replicas;
    }

    /** Tracks the replicas still to be chosen in one datacenter during a walk around the ring. */
    private static final class DatacenterShare {
      private final Set<String> racksTaken = new HashSet<>();
      private int missing;
      private int rackRepeats;

      static DatacenterShare of(TokenRing ring, String datacenter, int factor) {
        Set<String> racks = new HashSet<>();
        for (RingNode node : ring.nodes()) {
          if (node.datacenter().equals(datacenter)) {
            racks.add(node.rack());
          }
        }
        DatacenterShare share = new DatacenterShare();
        share.missing = Math.min(factor, ring.nodeCount(datacenter));
        share.rackRepeats = factor - racks.size();
        return share;
      }

      boolean take(RingNode node) {
        if (!racksTaken.add(node.rack())) {
          if (rackRepeats <= 0) {
            return false;
          }
          rackRepeats--;
        }
        missing--;
        return true;
      }
    }
  }

  /** Each node stores its own data: local system keyspaces. */
  record Local() implements ReplicationStrategy {
    @Override
    public String simpleName() {
      return "LocalStrategy";
    }

    @Override
    public Map<String, String> options() {
      return withClass(this, Map.of());
    }

    @Override
    public int replicationFactor() {
      return 1;
    }

    @Override
    public List<RingNode> replicas(TokenRing ring, int index, RingNode local) {
      return List.of(local);
    }
  }

  /**
   * Every node is a replica.
   *
   * @param replicationFactor the number of nodes
   */
  record Everywhere(int replicationFactor) implements ReplicationStrategy {
    @Override
    public String simpleName() {
      return "EverywhereStrategy";
    }

    @Override
    public Map<String, String> options() {
      return withClass(this, Map.of());
    }

    @Override
    public List<RingNode> replicas(TokenRing ring, int index, RingNode local) {
      List<RingNode> replicas = new ArrayList<>(ring.nodes().size());
      for (int i = 0; i < ring.size() && replicas.size() < ring.nodes().size(); i++) {
        RingNode node = ring.ownerAt((index + i) % ring.size());
        if (!replicas.contains(node)) {
          replicas.add(node);
        }
      }
      return replicas;
    }
  }

  private static Map<String, String> withClass(
      ReplicationStrategy strategy, Map<String, String> others) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(CLASS_OPTION, CLASS_PREFIX + strategy.simpleName());
    options.putAll(new TreeMap<>(others));
    return Collections.unmodifiableMap(options);
  }
}
