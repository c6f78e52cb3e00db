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
}
