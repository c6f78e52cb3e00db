package io.helenus.server.internode;

import java.lang.foreign.MemorySegment;

/** Receives what happens to a stream, on the thread of its event loop. */
public interface StreamHandler {
  /** The stream is open. First, and once. */
  void connected(ByteStream stream);

  /**
   * Bytes have arrived, in any portions.
   *
   * @param bytes valid during the call only, from 0 to length
   */
  void received(MemorySegment bytes, int length);

  /** The operating system has taken everything that was pending. */
  void drained();

  /**
   * The stream is closed, by either side, or could not be opened. Last, and once.
   *
   * @param reason why, as a text for the log
   */
  void closed(String reason);
}
