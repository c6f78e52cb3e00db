package io.helenus.server.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.FrameSocket;
import io.helenus.server.client.Response;
import io.helenus.server.protocol.ConversationSettings;
import io.helenus.server.protocol.FrameMutations;
import io.helenus.storage.testing.Seeds;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sends {@code -Dhelenus.fuzz.seeds} connections of seeded random input to a real server, or one
 * seed alone with {@code -Dseed=N}.
 */
class TransportFuzzTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int TIMEOUT_MILLIS = 300_000;
  private static final long MOST_NATIVE_BYTES = 256L << 20;

  private final long count = Long.getLong("helenus.fuzz.seeds", 1500);

  @Test
  void theServerSurvivesArbitraryInput() throws Exception {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    TransportSettings settings =
        new TransportSettings(
            new ConversationSettings(1 << 20, 64, 4 << 20, 64),
            100,
            100,
            16 << 20,
            1 << 20,
            10_000,
            60_000,
            128);
    long nativeBefore = nativeBytes();
    long directBefore = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    try (EchoServer server = new EchoServer(2, settings)) {
      seeds.each(
          count,
          seed -> {
            disturb(server, seed);
            if (seed % 50 == 0) {
              requireAlive(server);
            }
          });
      requireAlive(server);
      while (!server.transport().sessions().isEmpty()) {
        Thread.yield();
      }
      assertEquals(directBefore, UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
      long nativeGrowth = nativeBytes() - nativeBefore;
      assertTrue(nativeGrowth < MOST_NATIVE_BYTES, "growth of native memory: " + nativeGrowth);
    } finally {
      ResourceLeakDetector.setLevel(before);
    }
  }

  /** Sends the input, shuts down the output, and reads until the server closes. */
  private static void disturb(EchoServer server, long seed) throws IOException {
    try (FrameSocket frames = new FrameSocket(server.host(), server.port(), TIMEOUT_MILLIS)) {
      Socket socket = frames.socket();
      for (byte[] piece : new FrameMutations(seed).pieces()) {
        frames.sendRaw(piece);
      }
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[1 << 14];
      for (int length = 0; length >= 0; length = in.read(buffer)) {
        assertTrue(length <= buffer.length);
      }
    } catch (SocketException hungUp) {
      assertTrue(hungUp.getMessage() != null, "the server hung up");
    }
  }

  private static void requireAlive(EchoServer server) {
    CqlClient.Settings settings =
        CqlClient.Settings.of(server.host(), server.port()).withTimeoutMillis(TIMEOUT_MILLIS);
    try (CqlClient client = CqlClient.connect(settings)) {
      Response answer = client.query("still here");
      assertEquals("still here", assertInstanceOf(Response.SetKeyspace.class, answer).keyspace());
    }
  }

  private static long nativeBytes() {
    long sum = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      sum += pool.getMemoryUsed();
    }
    return sum;
  }
}
