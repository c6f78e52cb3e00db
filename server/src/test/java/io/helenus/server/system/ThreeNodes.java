package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Members;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.metadata.NodeIdentity;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that outputs of Apache Cassandra were recorded on, as one of its nodes sees it: three
 * nodes on 127.0.0.41 to 43 with four tokens each.
 */
public final class ThreeNodes {
  private static final long[][] TOKENS = {
    {
      -9_000_000_000_000_000_000L,
      -4_000_000_000_000_000_000L,
      1_000_000_000_000_000_000L,
      5_500_000_000_000_000_000L
    },
    {
      -7_500_000_000_000_000_000L,
      -2_500_000_000_000_000_000L,
      2_500_000_000_000_000_000L,
      7_000_000_000_000_000_000L
    },
    {
      -6_000_000_000_000_000_000L,
      -1_000_000_000_000_000_000L,
      4_000_000_000_000_000_000L,
      8_500_000_000_000_000_000L
    }
  };

  /** The definitions of the keyspaces. */
  public final SystemFixture fixture;

  /** The numbers of the nodes that are down, from 1. */
  public final Set<Integer> down = new HashSet<>();

  /** The numbers of the nodes that were never heard of. */
  public final Set<Integer> unknown = new HashSet<>();

  /** The versions of the schema that peers have, where it is not that of this node. */
  public final Map<Integer, UUID> schemaVersions = new HashMap<>();

  /** The sizes of the SSTables of the nodes in bytes; that of this node are in table 100. */
  public final long[] loads = {100, 100, 100};

  /** What phi is for each node. */
  public final double[] phis = {0.1, 0.1, 0.1};

  /** What links have carried. */
  public ClusterFacts.Traffic traffic = ClusterFacts.Traffic.NONE;

  /** The partitions of each table on this node. */
  public long partitions = 40;

  private final int self;
  private final List<String> dataCenters;
  private final List<String> racks;

  private ThreeNodes(int self, List<String> dataCenters, List<String> racks) {
    this.self = self;
    this.dataCenters = dataCenters;
    this.racks = racks;
    this.fixture =
        new SystemFixture(
            new NodeIdentity(
                "Test", dataCenters.getFirst(), racks.getFirst(), 1, List.of(), null, ""));
    fixture.join(new ClusterNode(hostId(9), dataCenters.getLast(), racks.getLast(), new long[1]));
  }

  /** All in one data centre, each in a rack of its own, as a node with a number sees them. */
  public static ThreeNodes inOneDataCenter(int self) {
    return new ThreeNodes(self, List.of("dc1", "dc1", "dc1"), List.of("rack1", "rack2", "rack3"));
  }

  /** The first in one data centre, the others in two racks of another one. */
  public static ThreeNodes inTwoDataCenters(int self) {
    return new ThreeNodes(self, List.of("west", "east", "east"), List.of("r1", "r1", "r2"));
  }

  /** Runs definitions. */
  public ThreeNodes with(String... definitions) {
    for (String definition : definitions) {
      fixture.change(definition);
    }
    return this;
  }

  /** The id of the node with a number. */
  public static UUID hostId(int number) {
    return new UUID(0x4000L | number, 0x8000_0000_0000_0000L | number);
  }

  /** The id of the node that sees this. */
  public UUID hostId() {
    return hostId(self);
  }

  /** The three nodes, with the keyspaces that were defined. */
  public ClusterState state() {
    ClusterState state = fixture.metadata().state();
    for (UUID hostId : state.nodes().keySet()) {
      state = Members.without(state, hostId);
    }
    for (int i = 1; i <= 3; i++) {
      NodeAddresses addresses = new NodeAddresses(address(i, 7000), address(i, 9042));
      state =
          Members.with(
              state,
              new ClusterNode(
                  hostId(i),
                  dataCenters.get(i - 1),
                  racks.get(i - 1),
                  TOKENS[i - 1],
                  addresses,
                  "0.1.0"));
    }
    return state;
  }

  private static InetSocketAddress address(int number, int port) {
    return new InetSocketAddress(TestFacts.address(40 + number), port);
  }

  private ClusterFacts.Peer peer(UUID hostId) {
    for (int i = 1; i <= 3; i++) {
      if (hostId(i).equals(hostId) && !unknown.contains(i)) {
        boolean up = !down.contains(i);
        return new ClusterFacts.Peer(
            up,
            up,
            phis[i - 1],
            1_700_000_000 + i,
            100 + i,
            loads[i - 1],
            schemaVersions.get(i),
            null,
            null);
      }
    }
    return ClusterFacts.Peer.UNKNOWN;
  }

  /** What the node knows. */
  public TestFacts facts() {
    return new TestFacts() {
      @Override
      public Endpoint broadcast() {
        return new Endpoint(TestFacts.address(40 + self), 7000);
      }

      @Override
      public Endpoint listen() {
        return broadcast();
      }

      @Override
      public Endpoint nativeTransport() {
        return new Endpoint(TestFacts.address(40 + self), 9042);
      }

      @Override
      public @Nullable TableStatistics statistics(int storageId) {
        long bytes = storageId == TABLE ? loads[self - 1] : 0;
        return new TableStatistics(1, bytes, bytes, 0, 100, 0, partitions, 0);
      }

      @Override
      public StorageActivity storageActivity() {
        StorageActivity.Work none = new StorageActivity.Work(0, 0, 0);
        return new StorageActivity(List.of(), List.of(), none, none, 0);
      }

      @Override
      public ClusterFacts cluster() {
        return new ClusterFacts() {
          @Override
          public Peer peer(UUID hostId) {
            return ThreeNodes.this.peer(hostId);
          }

          @Override
          public Traffic traffic() {
            return traffic;
          }
        };
      }
    };
  }
}
