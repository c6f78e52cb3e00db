package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;

/** Random read requests of every kind that a cursor can read. */
final class RandomRequests {
  private final Random random;
  private final ReadRequest request = new ReadRequest();

  RandomRequests(Random random) {
    this.random = random;
  }

  /** The next one; the same object each time. */
  ReadRequest next() {
    request.reset(1 + random.nextInt(1 << (1 + random.nextInt(29))), random.nextLong());
    boolean partition = random.nextBoolean();
    boolean lookup = random.nextInt(3) == 0;
    if (partition) {
      ByteWriter prefix = bytes(1 + random.nextInt(40));
      request.partition(prefix.segment(), 0, prefix.size()).reversed(random.nextBoolean());
    } else {
      addRange();
    }
    if (partition || lookup) {
      addSlices();
    }
    request.wantsStatic(random.nextBoolean()).wantsRows(random.nextBoolean());
    if (random.nextBoolean()) {
      request.columns(ids());
    } else {
      request.wantsDeadRows(random.nextBoolean());
    }
    addElements();
    if (lookup) {
      addLookup();
    } else if (random.nextBoolean()) {
      request.rowLimits(limit(), limit(), random.nextBoolean());
    }
    return request.tombstoneLimit(random.nextBoolean() ? random.nextInt(100_000) : ReadLimits.NONE);
  }

  private int limit() {
    return random.nextBoolean() ? 1 + random.nextInt(10_000) : ReadLimits.NONE;
  }

  private ByteWriter bytes(int length) {
    byte[] array = new byte[length];
    random.nextBytes(array);
    return new ByteWriter(Math.max(1, length)).putBytes(array);
  }

  private void addRange() {
    ByteWriter lower = new ByteWriter(8);
    ByteWriter upper = new ByteWriter(8);
    long token = random.nextLong();
    if (random.nextBoolean()) {
      KeyFormat.putToken(token, lower);
    }
    if (random.nextBoolean()) {
      KeyFormat.putToken(token + random.nextInt(1000) * (Long.MAX_VALUE - token) / 1000, upper);
    }
    if (upper.size() > 0 && Arrays.compareUnsigned(lower.toArray(), upper.toArray()) > 0) {
      upper.clear();
    }
    request.partitions(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
  }

  private void addSlices() {
    int at = 0;
    for (int i = random.nextInt(6); i > 0; i--) {
      at += 1 + random.nextInt(1000);
      if (random.nextBoolean()) {
        request.addRow(key(at, KeyFormat.TAG_END));
        continue;
      }
      int tag = random.nextBoolean() ? KeyFormat.TAG_BOUND_BEFORE : KeyFormat.TAG_BOUND_AFTER;
      byte[] lower = key(at, tag);
      at += random.nextInt(3);
      byte[] upper = key(at, KeyFormat.TAG_BOUND_AFTER);
      request.addSlice(of(lower).segment(), 0, lower.length, of(upper).segment(), 0, upper.length);
    }
  }

  private static byte[] key(int value, int closing) {
    return new ByteWriter(8)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(value)
        .putByte(closing)
        .toArray();
  }

  private static ByteWriter of(byte[] array) {
    return new ByteWriter(Math.max(1, array.length)).putBytes(array);
  }

  private int[] ids() {
    TreeSet<Integer> ids = new TreeSet<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      ids.add(random.nextInt(1 << (1 + random.nextInt(20))));
    }
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  private void addElements() {
    int column = 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      column += 1 + random.nextInt(5);
      int path = 0;
      for (int j = random.nextInt(4); j > 0; j--) {
        path += 1 + random.nextInt(200);
        ByteWriter lower = new ByteWriter(4).putInt(path);
        if (random.nextBoolean()) {
          request.addElement(column, lower.segment(), 0, 4);
          continue;
        }
        path += random.nextInt(100);
        ByteWriter upper = new ByteWriter(5).putInt(path).putByte(0);
        int upperLength = j == 1 && random.nextBoolean() ? 0 : 5;
        request.addElements(column, lower.segment(), 0, 4, upper.segment(), 0, upperLength);
      }
    }
  }

  private void addLookup() {
    boolean terms = random.nextBoolean();
    if (terms) {
      ByteWriter lower = bytes(random.nextInt(10));
      ByteWriter upper = bytes(random.nextInt(10));
      request.index(
          1 + random.nextInt(1000),
          lower.segment(),
          0,
          lower.size(),
          upper.segment(),
          0,
          upper.size());
    }
    if (!terms || random.nextBoolean()) {
      ByteWriter vector = bytes(4 * (1 + random.nextInt(8)));
      request.nearest(
          1 + random.nextInt(1000), vector.segment(), 0, vector.size(), 1 + random.nextInt(1000));
    }
  }
}
