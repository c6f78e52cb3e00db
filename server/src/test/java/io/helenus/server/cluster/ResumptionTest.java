package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ResumptionTest {
  private final List<String> transcript = new ArrayList<>();

  private static UUID host(int number) {
    return new UUID(0, number);
  }

  private static Resumption of(int others) {
    List<UUID> hosts = new ArrayList<>();
    for (int i = 1; i <= others; i++) {
      hosts.add(host(i));
    }
    return new Resumption(hosts);
  }

  /** Events are {@code f1}: 1 was followed, and {@code n1}: 1 cannot be reached. */
  private void run(int others, String events) {
    Resumption resumption = of(others);
    StringBuilder line = new StringBuilder().append(others + 1).append(" members:");
    line.append(resumption.isOver() ? " over" : "");
    for (String event : events.isEmpty() ? new String[0] : events.split(" ")) {
      UUID host = host(event.charAt(1) - '0');
      if (event.charAt(0) == 'f') {
        resumption.followed(host);
      } else {
        resumption.notReached(host);
      }
      line.append(' ').append(event).append(resumption.isOver() ? " over" : "");
    }
    transcript.add(line.toString());
  }

  @Test
  void itIsOverWithAMajorityOrWhenNobodyElseCanBeReached() {
    run(0, "");
    run(1, "f1");
    run(1, "n1");
    run(2, "f2");
    run(2, "n1 n2");
    run(2, "n1 f1");
    run(3, "f1 f1 n2 f3");
    run(4, "f1 n2 n3 n4");
    run(4, "n1 f2 f1");
    assertEquals(
        List.of(
            "1 members: over",
            "2 members: f1 over",
            "2 members: n1 over",
            "3 members: f2 over",
            "3 members: n1 n2 over",
            "3 members: n1 f1 over",
            "4 members: f1 f1 n2 f3 over",
            "5 members: f1 n2 n3 n4 over",
            "5 members: n1 f2 f1 over"),
        transcript);
  }
}
