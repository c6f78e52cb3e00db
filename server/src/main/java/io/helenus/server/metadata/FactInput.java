package io.helenus.server.metadata;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the numbers, texts and structures that facts consist of; the format is described in
 * docs/metadata-log.md. Malformed input raises an IndexOutOfBoundsException or
 * IllegalArgumentException. One thread.
 */
class FactInput {
  private final MemorySegment segment;
  private final boolean delimited;
  private long position;
  private long limit;

  /**
   * Reads from position to limit.
   *
   * @param format the version of the format; structures have lengths from version 2 on
   */
  FactInput(MemorySegment segment, long position, long limit, int format) {
    this.segment = segment;
    this.position = position;
    this.limit = limit;
    this.delimited = format >= FactFormat.DELIMITED_VERSION;
  }

  /** Whether structures have lengths. */
  final boolean isDelimited() {
    return delimited;
  }

  final long position() {
    return position;
  }

  /** Begins a structure; returns the limit of the enclosing one, to be passed to {@link #end}. */
  final long begin() {
    long enclosing = limit;
    if (delimited) {
      long length = i32() & 0xFFFF_FFFFL;
      if (length > limit - position) {
        throw new IllegalArgumentException("invalid length: " + length);
      }
      limit = position + length;
    }
    return enclosing;
  }

  /** Ends a structure: skips the fields that a later release has added to it. */
  final void end(long enclosingLimit) {
    if (position > limit) {
      throw new IllegalArgumentException("a structure is shorter than its fields");
    }
    if (delimited) {
      position = limit;
    }
    limit = enclosingLimit;
  }

  /**
   * Reads the release that introduced something in what follows.
   *
   * @throws NewerReleaseException if this release does not read it
   */
  final void requireReadable() {
    MetadataRelease needed = new MetadataRelease(count(), count(), count());
    if (needed.compareTo(MetadataRelease.READ) > 0) {
      throw new NewerReleaseException(needed);
    }
  }

  /** Whether the structure has fields after those that every release has written. */
  final boolean hasMore() {
    return delimited && position < limit;
  }

  final int u8() {
    return Bytes.getUnsignedByte(segment, position++);
  }

  final int i32() {
    int value = Bytes.getInt(segment, position);
    position += 4;
    return value;
  }

  final long i64() {
    long value = Bytes.getLong(segment, position);
    position += 8;
    return value;
  }

  final double f64() {
    return Double.longBitsToDouble(i64());
  }

  final UUID uuid() {
    long high = i64();
    return new UUID(high, i64());
  }

  /**
   * Reads a count as a varint. A valid count never exceeds the number of remaining bytes, so memory
   * allocated for it is bounded.
   */
  final int count() {
    long value = 0;
    int shift = 0;
    int b;
    do {
      b = u8();
      value |= (b & 0x7FL) << shift;
      shift += 7;
    } while (b >= 0x80 && shift < 63);
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("invalid count: " + value);
    }
    return (int) value;
  }

  final String text() {
    return new String(bytes(count()), StandardCharsets.UTF_8);
  }

  final byte[] bytes(int length) {
    if (length > limit - position) {
      throw new IllegalArgumentException("invalid length: " + length);
    }
    byte[] bytes = Bytes.toArray(segment, position, length);
    position += length;
    return bytes;
  }

  /** The bytes from here to the limit, which stay to be read. */
  final byte[] rest() {
    return Bytes.toArray(segment, position, limit - position);
  }

  final List<UUID> uuids() {
    List<UUID> uuids = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      uuids.add(uuid());
    }
    return uuids;
  }

  /** Where a node can be reached; null if it is unknown. */
  final @Nullable NodeAddresses addresses() {
    return u8() == 0 ? null : new NodeAddresses(socketAddress(), socketAddress());
  }

  private InetSocketAddress socketAddress() {
    byte[] host = bytes(u8());
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host), u8() << 8 | u8());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + host.length + " bytes", e);
    }
  }

  final SortedMap<String, String> options() {
    TreeMap<String, String> options = new TreeMap<>();
    for (int i = count(); i > 0; i--) {
      String name = text();
      options.put(name, text());
    }
    return options;
  }

  final long[] tokens() {
    long[] tokens = new long[count()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = i64();
    }
    return tokens;
  }
}
