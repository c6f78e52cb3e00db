package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which replicas of an operation failed, on whichever nodes, and why. Shard thread only. */
final class ReplicaFailures {
  private static final byte[] UNKNOWN_ADDRESS = {0, 0, 0, 0};

  private List<Failure> failures = List.of();

  private record Failure(@Nullable InetSocketAddress address, int reason) {
    CqlError.FailureReason ofProtocol() {
      byte[] bytes = address == null ? UNKNOWN_ADDRESS : address.getAddress().getAddress();
      return new CqlError.FailureReason(bytes, reason);
    }

    /** As Cassandra writes it. */
    @Override
    public String toString() {
      return RefusalCode.name(reason)
          + " from "
          + (address == null ? "a node without address" : text(address));
    }
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return "/" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** That of one replica. */
  static ReplicaFailures of(InetSocketAddress address, int reason) {
    ReplicaFailures one = new ReplicaFailures();
    one.add(address, reason);
    return one;
  }

  /**
   * Adds a replica.
   *
   * @param address where its node listens to others, resolved; null if it is not known
   */
  void add(@Nullable InetSocketAddress address, int reason) {
    if (failures.isEmpty()) {
      failures = new ArrayList<>(2);
    }
    failures.add(new Failure(address, reason));
  }

  /** How many there are. */
  int size() {
    return failures.size();
  }

  /** A reason for each replica that failed. */
  List<CqlError.FailureReason> reasons() {
    return failures.stream().map(Failure::ofProtocol).toList();
  }

  /** The same for people. */
  String text() {
    return String.join(", ", failures.stream().map(Failure::toString).toList());
  }
}
