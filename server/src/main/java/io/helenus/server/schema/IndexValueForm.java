package io.helenus.server.schema;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form in which an index compares values: bytes whose unsigned order is the order of the index,
 * and none of which is a prefix of another. Values that are equal for the index have the same.
 * Immutable; any thread.
 */
public final class IndexValueForm {
  private static final int IPV4_BYTES = 4;
  private static final int MAPPED_ZEROS = 10;
  private static final int MAPPED_ONES = 0xFFFF;
  private static final int ESCAPED_ZERO = 0x00FF;

  private static final IndexValueForm IDENTICAL =
      new IndexValueForm(ScalarKeyEncoding.BYTES, false, false, null);

  private final KeyEncoding encoding;
  private final boolean skipsEmpty;
  private final boolean mapsAddresses;
  private final @Nullable TextAnalysis analysis;

  private IndexValueForm(
      KeyEncoding encoding,
      boolean skipsEmpty,
      boolean mapsAddresses,
      @Nullable TextAnalysis analysis) {
    this.encoding = encoding;
    this.skipsEmpty = skipsEmpty;
    this.mapsAddresses = mapsAddresses;
    this.analysis = analysis;
  }

  /** Values are equal only if their wire bytes are. */
  public static IndexValueForm identical() {
    return IDENTICAL;
  }

  /** The order and equality of the type; wire bytes if it has no order. */
  static IndexValueForm ordered(CqlType type) {
    KeyEncoding encoding = type.keyEncoding();
    return encoding == null || encoding == ScalarKeyEncoding.BYTES
        ? IDENTICAL
        : new IndexValueForm(encoding, false, false, null);
  }

  /** How a storage-attached index compares values: {@code options} are those of the index. */
  static IndexValueForm attached(CqlType type, Map<String, String> options) {
    if (!(type instanceof ScalarType scalar)) {
      return IDENTICAL;
    }
    return switch (scalar) {
      case TEXT, ASCII -> {
        TextAnalysis analysis = TextAnalysis.of(options);
        yield analysis == null
            ? IDENTICAL
            : new IndexValueForm(ScalarKeyEncoding.BYTES, false, false, analysis);
      }
      case INET -> new IndexValueForm(ScalarKeyEncoding.BYTES, true, true, null);
      case BOOLEAN -> ordered(type);
      default -> {
        KeyEncoding encoding = type.keyEncoding();
        yield encoding == null ? IDENTICAL : new IndexValueForm(encoding, true, false, null);
      }
    };
  }

  /** The encoding of the components that it appends unchanged; null if it changes some values. */
  @Nullable KeyEncoding unchanged() {
    return skipsEmpty || mapsAddresses || analysis != null ? null : encoding;
  }

  /** Whether IPv4 addresses are compared as the IPv6 addresses that they are mapped to. */
  public boolean mapsAddresses() {
    return mapsAddresses;
  }

  /** Whether all values that are equal for the type are so in this form, and in the same order. */
  public boolean isOrderOf(CqlType type) {
    KeyEncoding ofType = type.keyEncoding();
    return encoding == ofType && unchanged() != null;
  }

  /**
   * Appends a value in this form.
   *
   * @return false if the index contains no such values, and nothing was appended
   */
  public boolean write(MemorySegment value, long offset, int length, ByteWriter out) {
    if (length == 0 && skipsEmpty) {
      return false;
    }
    if (analysis != null) {
      String text = new String(Bytes.toArray(value, offset, length), StandardCharsets.UTF_8);
      byte[] analyzed = analysis.apply(text).getBytes(StandardCharsets.UTF_8);
      ByteWriter bytes = new ByteWriter(analyzed.length).putBytes(analyzed);
      encoding.write(bytes.segment(), 0, bytes.size(), false, out);
    } else if (mapsAddresses && length == IPV4_BYTES) {
      putMapped(value, offset, out);
    } else {
      encoding.write(value, offset, length, false, out);
    }
    return true;
  }

  /** Appends an IPv4 address as the IPv6 address that it is mapped to. */
  private static void putMapped(MemorySegment address, long offset, ByteWriter out) {
    out.putByte(KeyFormat.TAG_VALUE);
    for (int i = 0; i < MAPPED_ZEROS; i++) {
      out.putShort(ESCAPED_ZERO);
    }
    out.putShort(MAPPED_ONES);
    KeyFormat.putEscaped(address, offset, IPV4_BYTES, false, out);
  }
}
