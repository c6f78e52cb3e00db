package io.helenus.server.system;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.Schema;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keyspaces of a schema, sorted by their key prefixes in virtual tables whose partition key
 * starts with the keyspace's name. Immutable.
 */
final class KeyspaceOrder {
  /**
   * A keyspace.
   *
   * @param prefix the common start of the keyspace's partition prefixes
   */
  record Entry(byte[] prefix, KeyspaceSchema keyspace) {}

  /** Caches the orders for the schema that was scanned last. Any thread. */
  static final class Cache {
    private volatile @Nullable KeyspaceOrder byToken;
    private volatile @Nullable KeyspaceOrder byValue;

    /** The keyspaces of a schema in the order of a partitioner. */
    KeyspaceOrder order(Schema schema, Partitioner partitioner) {
      boolean token = partitioner == Partitioner.MURMUR3;
      KeyspaceOrder known = token ? byToken : byValue;
      if (known == null || known.schema != schema) {
        known = KeyspaceOrder.of(schema, partitioner);
        if (token) {
          byToken = known;
        } else {
          byValue = known;
        }
      }
      return known;
    }
  }

  private final Schema schema;
  private final Entry[] entries;

  private KeyspaceOrder(Schema schema, Entry[] entries) {
    this.schema = schema;
    this.entries = entries;
  }

  private static KeyspaceOrder of(Schema schema, Partitioner partitioner) {
    ByteWriter in = new ByteWriter(64);
    ByteWriter out = new ByteWriter(128);
    List<KeyspaceSchema> keyspaces = schema.keyspaces();
    Entry[] entries = new Entry[keyspaces.size()];
    for (int i = 0; i < entries.length; i++) {
      byte[] name = WireValues.ofText(keyspaces.get(i).name());
      in.clear().putBytes(name);
      out.clear();
      if (partitioner == Partitioner.MURMUR3) {
        KeyFormat.putPartition(Murmur3.token(name), in.segment(), 0, name.length, out);
      } else {
        ScalarKeyEncoding.BYTES.write(in.segment(), 0, name.length, false, out);
      }
      entries[i] = new Entry(out.toArray(), keyspaces.get(i));
    }
    Arrays.sort(entries, (a, b) -> Arrays.compareUnsigned(a.prefix(), b.prefix()));
    return new KeyspaceOrder(schema, entries);
  }

  /** Every keyspace, in order. */
  Entry[] entries() {
    return entries;
  }
}
