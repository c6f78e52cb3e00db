package io.helenus.server.internode;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** One end of an ordered stream of bytes between two nodes. On the thread of its event loop. */
public interface ByteStream {
  /** Adds bytes to what is sent; they are copied. Ignored once the stream is closed. */
  void write(MemorySegment bytes, long offset, int length);

  /** Sends what was added, as far as the other side takes it; the rest follows. */
  void flush();

  /** How many bytes were added but not taken by the operating system. */
  long pendingBytes();

  /** Closes the stream; {@link StreamHandler#closed} follows. What is pending may be lost. */
  void close();

  /** The address of the other end. */
  InetSocketAddress remote();
}
