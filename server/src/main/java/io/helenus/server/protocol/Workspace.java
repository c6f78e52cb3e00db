package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resources shared by the conversations of one event loop, so that an idle connection costs next to
 * nothing: scratch buffers that are valid during one call, pooled exchanges, and the limit for the
 * bytes of all requests in flight. Used on the event loop only.
 */
public final class Workspace {
  private static final int KEPT_BYTES = 256 << 10;
  private static final int KEPT_EXCHANGES = 4096;

  /** Larger bodies are not compressed as a whole, because that takes twice their memory. */
  private static final int MOST_COMPRESSED_BYTES = 8 << 20;

  private final long limitBytes;
  private final LargeSegments requests;
  private final LargeSegments answers;
  private final ByteWriter body;
  private final ByteWriter prefix = new ByteWriter(64);
  private final ByteWriter nothing = new ByteWriter(16);
  private final ByteWriter large;
  private final ByteWriter compressed;
  private final ByteWriter decompressed;
  private final BodyCursor cursor = new BodyCursor();
  private final RequestDecoder decoder;
  private final Checksum checksum = new Checksum();
  private final List<PooledExchange> idleExchanges = new ArrayList<>();
  private Compression.@Nullable Lz4 lz4;
  private long inFlightBytes;
  private long arrivingBytes;

  /**
   * Creates a workspace. The limit applies to requests in flight and, separately, to large requests
   * that are arriving.
   *
   * @param maxTextBytes the greatest size of the texts of a request
   * @param memory supplies the memory for large messages
   */
  public Workspace(long limitBytes, long maxTextBytes, NodeMemory memory) {
    decoder = new RequestDecoder(maxTextBytes);
    this.limitBytes = limitBytes;
    requests = memory.segments(Use.REQUESTS);
    answers = memory.segments(Use.ANSWERS);
    LargeSegments segments = memory.segments(Use.BUFFERS);
    body = ByteWriter.recycling(segments, 4096);
    large = ByteWriter.recycling(segments, 64);
    compressed = ByteWriter.recycling(segments, 64);
    decompressed = ByteWriter.recycling(segments, 64);
  }

  /** The bytes of all requests in flight. */
  public long inFlightBytes() {
    return inFlightBytes;
  }

  /** The bytes of large messages that have not arrived completely. */
  public long arrivingBytes() {
    return arrivingBytes;
  }

  boolean hasRoom() {
    return inFlightBytes < limitBytes;
  }

  /** Adds to the bytes in flight; a single request may exceed the limit. */
  void charge(long bytes) {
    inFlightBytes += bytes;
  }

  void release(long bytes) {
    inFlightBytes -= bytes;
  }

  /**
   * Reserves memory for a large message that is arriving; false if that exceeds the limit and
   * another one is arriving. Counted separately, so that a client that never sends the rest does
   * not block the requests of others.
   */
  boolean reserveArriving(long bytes) {
    if (arrivingBytes > 0 && arrivingBytes + bytes > limitBytes) {
      return false;
    }
    arrivingBytes += bytes;
    return true;
  }

  void releaseArriving(long bytes) {
    arrivingBytes -= bytes;
  }

  /** A writer for a request that is arriving; release it when the request has been handled. */
  public ByteWriter arriving(int capacityBytes) {
    return ByteWriter.recycling(requests, capacityBytes);
  }

  /** Whether a large body of this size may be compressed as a whole. */
  boolean mayCompress(long bytes) {
    MemoryShare share = answers.share();
    return bytes <= MOST_COMPRESSED_BYTES && share.usedBytes() <= share.limitBytes() - 2 * bytes;
  }

  /** A writer for a large body that will be sent piece by piece. */
  ByteWriter answer() {
    return ByteWriter.recycling(answers, 64);
  }

  /** The contents of such a writer. */
  ByteChunks chunks(ByteWriter answer) {
    ByteChunks chunks = new ByteChunks(answers);
    chunks.add(answer);
    return chunks;
  }

  /** The writer for response bodies. */
  ByteWriter body() {
    return body.clear(KEPT_BYTES);
  }

  /** The writer for the fields before a response body. */
  ByteWriter prefix() {
    return prefix.clear(KEPT_BYTES);
  }

  /** An empty writer. */
  ByteWriter nothing() {
    return nothing;
  }

  /** The writer for messages that must be contiguous. */
  ByteWriter large() {
    return large.clear(KEPT_BYTES);
  }

  ByteWriter compressed() {
    return compressed.clear(KEPT_BYTES);
  }

  ByteWriter decompressed() {
    return decompressed.clear(KEPT_BYTES);
  }

  BodyCursor cursor() {
    return cursor;
  }

  RequestDecoder decoder() {
    return decoder;
  }

  Checksum checksum() {
    return checksum;
  }

  /** Created on first use, because its library takes a while to load. */
  Compression.Lz4 lz4() {
    Compression.Lz4 known = lz4;
    if (known == null) {
      known = Compression.Lz4.create();
      lz4 = known;
    }
    return known;
  }

  PooledExchange exchange() {
    return idleExchanges.isEmpty() ? new PooledExchange(this) : idleExchanges.removeLast();
  }

  void recycle(PooledExchange exchange) {
    if (idleExchanges.size() < KEPT_EXCHANGES) {
      idleExchanges.add(exchange);
    }
  }
}
