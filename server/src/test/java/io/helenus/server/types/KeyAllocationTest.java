package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keys of prepared statements are encoded and decoded without allocation. */
class KeyAllocationTest {
  private static final int ROUNDS = 2_000;

  private final ByteWriter value = new ByteWriter(256);
  private final ByteWriter key = new ByteWriter(1024);
  private final ByteWriter out = new ByteWriter(1024);

  private void build(KeyEncoding encoding, int length, boolean descending) {
    long token = Murmur3.token(value.segment(), 0, length);
    key.clear();
    KeyFormat.putPartition(token, value.segment(), 0, length, key);
    key.putByte(KeyFormat.SECTION_ROWS);
    encoding.write(value.segment(), 0, length, descending, key);
    key.putByte(KeyFormat.TAG_END);
    out.clear();
    long section = KeyFormat.readPartitionKey(key.segment(), 0, out);
    long end = encoding.readWithLength(key.segment(), section + 1, descending, out);
    assertTrue(end == key.size() - 1 && encoding.isCanonical(value.segment(), 0, length));
  }

  @Test
  void keysOfCommonTypesAreEncodedWithoutAllocation() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (ScalarType type :
        List.of(
            ScalarType.INT,
            ScalarType.BIGINT,
            ScalarType.TEXT,
            ScalarType.UUID,
            ScalarType.TIMEUUID,
            ScalarType.TIMESTAMP,
            ScalarType.DOUBLE)) {
      KeyEncoding encoding = Objects.requireNonNull(type.keyEncoding());
      byte[] wire =
          switch (type) {
            case INT -> WireValues.ofInt(-7);
            case BIGINT, TIMESTAMP -> WireValues.ofLong(1L << 40);
            case DOUBLE -> WireValues.ofDouble(2.5);
            case UUID, TIMEUUID -> new byte[16];
            default -> WireValues.ofText("a text with \0 zeros \0 and é");
          };
      value.clear().putBytes(wire);
      long allocated = 0;
      for (int attempt = 0; attempt < 3; attempt++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
          build(encoding, wire.length, i % 2 == 0);
          type.validate(value.segment(), 0, wire.length == 16 ? 0 : wire.length);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertTrue(allocated < ROUNDS, type + " allocated " + allocated + " bytes");
    }
  }
}
