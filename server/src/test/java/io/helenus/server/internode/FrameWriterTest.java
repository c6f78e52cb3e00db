package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.TestNode.Options;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a stream is given, and what waits until it takes more. */
class FrameWriterTest {
  private static final int FRAME_BYTES = 64 << 10;

  private final SimWorld world = new SimWorld(1);
  private final LargeSegments memory = new LargeSegments();
  private final FrameWriter writer =
      new FrameWriter(
          new TestNode(
                  1,
                  world,
                  new SimulatedNetwork(1, world.clock(), world.scheduler("wire")),
                  new ArrayList<>(),
                  Options.DEFAULT)
              .environment,
          memory,
          new LinkCounters());
  private final Slow stream = new Slow();
  private final List<Integer> messages = new ArrayList<>();

  /** Takes one portion at a time, and then none until it is told that it was sent. */
  private final class Slow implements ByteStream {
    private final EnvelopeReader reader = new EnvelopeReader(new LargeSegments(), 1 << 20);
    private long pending;

    Slow() {
      ByteWriter magic = new ByteWriter(4).putInt(Handshake.MAGIC);
      read(magic.segment(), 0, magic.size());
    }

    private void read(MemorySegment bytes, long offset, int length) {
      try {
        reader.read(
            bytes.asSlice(offset, length),
            length,
            (body, at, ofLength) -> {
              int header = FrameWriter.HEADER_BYTES - FrameWriter.ENVELOPE_BYTES;
              messages.add(Bytes.getInt(body, at + header));
              return true;
            });
      } catch (MalformedBytesException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void write(MemorySegment bytes, long offset, int length) {
      assertTrue(pending == 0 && length <= FRAME_BYTES, () -> length + " bytes at once");
      pending = length;
      read(bytes, offset, length);
    }

    @Override
    public void flush() {
      // it takes everything, later
    }

    @Override
    public long pendingBytes() {
      return pending;
    }

    @Override
    public void close() {}

    @Override
    public InetSocketAddress remote() {
      return TestNode.address(2);
    }
  }

  private void message(int number) {
    writer.begin().putInt(number).reserve(FRAME_BYTES - FrameWriter.HEADER_BYTES - 4);
    writer.end();
  }

  @Test
  void aStreamThatIsNeverEmptyDoesNotMakeTheContentsGrow() {
    int sent = 0;
    for (; sent < 4; sent++) {
      message(sent);
      writer.sendTo(stream);
    }
    for (; sent < 500; sent++) {
      message(sent);
      writer.sendTo(stream);
      stream.pending = 0;
      writer.resume(stream);
      assertEquals(3 * FRAME_BYTES, writer.size());
    }
    assertTrue(
        memory.share().usedBytes() <= 16 * FRAME_BYTES, memory.share().usedBytes() + " bytes");
    while (writer.size() > 0) {
      stream.pending = 0;
      writer.resume(stream);
    }
    for (int i = 0; i < sent; i++) {
      assertEquals(i, messages.get(i));
    }
    assertEquals(sent, messages.size());
  }

  /** A reply that the log does not have yet must not leave because the stream takes more. */
  @Test
  void aFrameThatHasNotEndedWaitsForTheEndOfTheTick() {
    message(0);
    message(1);
    writer.sendTo(stream);
    message(2);
    for (int i = 0; i < 10; i++) {
      stream.pending = 0;
      writer.resume(stream);
    }
    assertEquals(List.of(0), messages.subList(0, 1));
    assertEquals(1, messages.size(), "two messages are one frame");
    writer.sendTo(stream);
    stream.pending = 0;
    writer.resume(stream);
    assertEquals(List.of(0, 2), messages);
    assertEquals(0, writer.size());
  }
}
