package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void anAddressThatOthersMayReachIsWarnedOf() {
    assertEquals("", Main.exposure(new InetSocketAddress("127.0.0.1", 9042)));
    assertEquals("", Main.exposure(new InetSocketAddress("127.0.0.8", 9042)));
    assertEquals("", Main.exposure(new InetSocketAddress("::1", 9042)));
    for (String address : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
      String warning = Main.exposure(new InetSocketAddress(address, 9042));
      assertTrue(warning.contains("neither passwords nor encryption"), warning);
    }
  }

  @Test
  void anAddressOfALinkThatOthersMayReachIsWarnedOf() {
    assertEquals("", Main.linkExposure(new InetSocketAddress("127.0.0.2", 7000)));
    assertEquals(
        "Whoever reaches 192.0.2.1:7000 can read and change everything: in this version, links"
            + " between nodes are neither encrypted nor authenticated. Let only the other nodes"
            + " reach this port, with a firewall or in a network of their own",
        Main.linkExposure(new InetSocketAddress("192.0.2.1", 7000)));
  }
}
