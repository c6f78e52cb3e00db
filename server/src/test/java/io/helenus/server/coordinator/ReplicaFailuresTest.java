package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.error.CqlError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaFailuresTest {
  private static InetSocketAddress address(String text) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(text), 7000);
  }

  @Test
  void eachReplicaIsNamedWithItsReason() throws Exception {
    ReplicaFailures failures = new ReplicaFailures();
    failures.add(address("10.0.0.1"), Failures.TOO_MANY_TOMBSTONES);
    failures.add(address("::1"), Failures.UNKNOWN_REASON);
    failures.add(null, Failures.UNKNOWN_REASON);
    assertEquals(
        "READ_TOO_MANY_TOMBSTONES from /10.0.0.1:7000, UNKNOWN from /[0:0:0:0:0:0:0:1]:7000,"
            + " UNKNOWN from a node without address",
        failures.text());
    List<CqlError.FailureReason> reasons = failures.reasons();
    assertEquals(3, reasons.size());
    assertArrayEquals(new byte[] {10, 0, 0, 1}, reasons.getFirst().address());
    assertEquals(Failures.TOO_MANY_TOMBSTONES, reasons.getFirst().reasonCode());
    assertEquals(16, reasons.get(1).address().length);
    assertArrayEquals(new byte[4], reasons.get(2).address());
  }
}
