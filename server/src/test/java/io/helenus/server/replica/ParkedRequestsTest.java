package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transcripts of {@link ParkedRequests}: what waits, and what becomes of it. */
class ParkedRequestsTest {
  private static final long MS = 1_000_000;

  private final SimWorld world = new SimWorld(1);
  private final Scheduler shard = world.scheduler("shard");
  private final List<String> transcript = new ArrayList<>();
  private long applied = 5;
  private ParkedRequests<String> parked = parked(new LargeSegments());

  private ParkedRequests<String> parked(SegmentSource memory) {
    return new ParkedRequests<>(() -> applied, world.clock()::nanos, shard, memory, new Noted());
  }

  private final class Noted implements ParkedRequests.Outcome<String> {
    @Override
    public void run(
        String link,
        long id,
        byte kind,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length) {
      String text = new String(Bytes.toArray(body, offset, length), StandardCharsets.UTF_8);
      transcript.add(
          "run %s %d, kind %d, %s%s"
              .formatted(
                  link,
                  id,
                  kind,
                  text.length() > 9 ? text.length() + " bytes" : text,
                  remainingNanos > 0 ? "" : ", too late"));
    }

    @Override
    public void refuse(String link, long id, String reason) {
      transcript.add("refuse " + link + " " + id + ": " + reason);
    }
  }

  private void arrives(String link, long id, long epoch, int ms, String body) {
    ByteWriter bytes = new ByteWriter(16).putBytes(body.getBytes(StandardCharsets.UTF_8));
    if (!parked.park(link, id, (byte) 1, epoch, ms * MS, bytes.segment(), 0, bytes.size())) {
      transcript.add("at once " + link + " " + id);
    }
  }

  private void applied(long index) {
    applied = index;
    parked.proceed();
  }

  private void pass(int ms) {
    world.runFor(ms * MS);
  }

  private void expect(String... lines) {
    assertEquals(List.of(lines), transcript);
    transcript.clear();
  }

  @Test
  void aRequestWaitsForItsEntry() {
    arrives("a", 1, 5, 100, "one");
    arrives("a", 2, 7, 100, "two");
    arrives("b", 3, 6, 100, "three");
    arrives("a", 4, 6, 100, "four");
    expect("at once a 1");
    applied(6);
    expect("run b 3, kind 1, three", "run a 4, kind 1, four");
    assertEquals(1, parked.size());
    applied(7);
    expect("run a 2, kind 1, two");
    assertEquals(0, parked.bytes());
  }

  @Test
  void whatIsOverdueIsDroppedWithoutAnotherArrival() {
    arrives("a", 1, 6, 300, "one");
    arrives("a", 2, 6, 100, "two");
    arrives("a", 3, 6, 200, "three");
    pass(110);
    assertEquals(2, parked.size());
    pass(100);
    assertEquals(1, parked.size());
    applied(6);
    expect("run a 1, kind 1, one");
    arrives("a", 4, 7, 50, "four");
    pass(60);
    assertEquals(0, parked.size());
    assertEquals(0, parked.bytes());
    applied(7);
    expect();
  }

  @Test
  void whatDoesNotFitIsRefused() {
    String body = "x".repeat((int) ParkedRequests.LIMIT_BYTES / 2 - ParkedRequests.OVERHEAD_BYTES);
    arrives("a", 1, 6, 100, body);
    arrives("a", 2, 6, 200, body);
    expect();
    arrives("b", 3, 6, 100, "");
    expect("refuse b 3: too many requests wait until this node has followed the schema");
    arrives("b", 4, 5, 100, "");
    expect("at once b 4");
    pass(110);
    arrives("b", 5, 6, 200, "fits again");
    expect();
    applied(6);
    expect("run a 2, kind 1, " + body.length() + " bytes", "run b 5, kind 1, 10 bytes");
    assertEquals(0, parked.bytes());
  }

  @Test
  void whatWaitsCountsAsMemoryOfTheNode() {
    MemoryShare share = new MemoryShare(1 << 20);
    parked = parked(new LargeSegments(share, PageDiscard.NONE, 0));
    String half = "x".repeat(1 << 19);
    arrives("a", 1, 6, 100, half);
    arrives("a", 2, 6, 200, half);
    assertEquals(1 << 20, share.usedBytes());
    pass(110);
    assertEquals(1 << 19, share.usedBytes());
    applied(6);
    expect("run a 2, kind 1, " + half.length() + " bytes");
    assertEquals(0, share.usedBytes());
  }
}
