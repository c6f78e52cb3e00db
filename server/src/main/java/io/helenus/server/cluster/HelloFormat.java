package io.helenus.server.cluster;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of {@link Hello} and {@link Refusal} ({@code docs/internode.md}, "Hello"). Stateless.
 * Bytes after the fields known here are skipped, so that later releases can add some.
 */
public final class HelloFormat {
  /** The number of members beyond which a Hello is refused. */
  static final int MEMBER_LIMIT = 10_000;

  private static final int TEXT_LIMIT_BYTES = 0xFFFF;
  private static final Hello.Status[] STATUSES = Hello.Status.values();

  private HelloFormat() {}

  /** Appends a Hello. */
  public static void write(Hello hello, ByteWriter to) {
    to.putByte(hello.status().ordinal());
    putId(hello.clusterId() == null ? new UUID(0, 0) : hello.clusterId(), to);
    putId(hello.hostId(), to);
    to.putLong(hello.life());
    putText(hello.clusterName(), to);
    putText(hello.firstSeed(), to);
    putText(hello.dataCenter(), to);
    putEndpoint(hello.node(), to);
    putEndpoint(hello.client(), to);
    to.putInt(hello.members().size());
    hello
        .members()
        .forEach(
            (host, address) -> {
              putId(host, to);
              to.putLong(address.life());
              putEndpoint(address.node(), to);
              putEndpoint(address.client(), to);
            });
  }

  /**
   * Reads a Hello.
   *
   * @throws IllegalArgumentException if the bytes are none; the message says why
   */
  public static Hello read(MemorySegment segment, long offset, long length) {
    Input in = new Input(segment, offset, length);
    int status = in.number(1);
    if (status >= STATUSES.length) {
      throw new IllegalArgumentException("no status of a node: " + status);
    }
    UUID clusterId = in.id();
    UUID hostId = in.id();
    long life = in.life();
    String clusterName = in.text();
    String firstSeed = in.text();
    String dataCenter = in.text();
    Endpoint node = in.endpoint();
    Endpoint client = in.endpoint();
    return new Hello(
        clusterName,
        orNull(clusterId),
        hostId,
        life,
        STATUSES[status],
        firstSeed,
        dataCenter,
        node,
        client,
        members(in));
  }

  private static @Nullable UUID orNull(UUID id) {
    return id.getMostSignificantBits() == 0 && id.getLeastSignificantBits() == 0 ? null : id;
  }

  private static Map<UUID, MemberAddress> members(Input in) {
    int count = in.number(4);
    if (count < 0 || count > MEMBER_LIMIT) {
      throw new IllegalArgumentException(Integer.toUnsignedString(count) + " members are too many");
    }
    Map<UUID, MemberAddress> members = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      UUID host = in.id();
      long life = in.life();
      Endpoint node = in.endpoint();
      members.put(host, new MemberAddress(node, in.endpoint(), life));
    }
    return members;
  }

  /** Appends a refusal. */
  public static void write(Refusal refusal, ByteWriter to) {
    to.putByte(refusal.kind().code());
    putText(refusal.text(), to);
  }

  /**
   * Reads a refusal.
   *
   * @throws IllegalArgumentException if the bytes are none; the message says why
   */
  public static Refusal readRefusal(MemorySegment segment, long offset, long length) {
    Input in = new Input(segment, offset, length);
    return new Refusal(Refusal.Kind.ofCode(in.number(1)), in.text());
  }

  private static void putId(UUID id, ByteWriter to) {
    to.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static void putText(String text, ByteWriter to) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > TEXT_LIMIT_BYTES) {
      throw new IllegalArgumentException("text of " + utf8.length + " bytes");
    }
    to.putShort(utf8.length).putBytes(utf8);
  }

  private static void putEndpoint(Endpoint endpoint, ByteWriter to) {
    putText(endpoint.host(), to);
    to.putShort(endpoint.port());
  }

  /** Reads fields in order, never beyond the end. */
  private static final class Input {
    private final MemorySegment segment;
    private final long end;
    private long at;

    Input(MemorySegment segment, long offset, long length) {
      this.segment = segment;
      this.at = offset;
      this.end = offset + length;
    }

    /** The offset of a field, which is skipped. */
    private long take(int bytes) {
      if (end - at < bytes) {
        throw new IllegalArgumentException("it ends within a field");
      }
      long start = at;
      at += bytes;
      return start;
    }

    int number(int bytes) {
      long start = take(bytes);
      return switch (bytes) {
        case 1 -> Bytes.getUnsignedByte(segment, start);
        case 2 -> Bytes.getUnsignedShort(segment, start);
        default -> Bytes.getInt(segment, start);
      };
    }

    UUID id() {
      long start = take(16);
      return new UUID(Bytes.getLong(segment, start), Bytes.getLong(segment, start + 8));
    }

    long life() {
      return Bytes.getLong(segment, take(8));
    }

    String text() {
      int length = number(2);
      return new String(Bytes.toArray(segment, take(length), length), StandardCharsets.UTF_8);
    }

    Endpoint endpoint() {
      String host = text();
      return new Endpoint(host, number(2));
    }
  }
}
