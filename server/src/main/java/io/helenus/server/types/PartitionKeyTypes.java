package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types of the columns of a partition key, and which of them have canonical values only: those
 * of a materialized view that are clustering columns of its base table, where values that compare
 * equal are the same (docs/views.md). Whoever looks for such a value looks for its canonical form.
 * Immutable; any thread.
 */
public final class PartitionKeyTypes {
  /** No columns: there is no table. */
  public static final PartitionKeyTypes NONE = new PartitionKeyTypes(List.of());

  private final List<CqlType> types;
  private final @Nullable KeyEncoding[] encodings;
  private final boolean canonical;

  /** Creates the types of a key with values as they are written. */
  public PartitionKeyTypes(List<CqlType> types) {
    this(types, Collections.nCopies(types.size(), false));
  }

  /**
   * Creates the types of a key.
   *
   * @param ofClustering for each column, whether its values are taken from clustering values
   */
  public PartitionKeyTypes(List<CqlType> types, List<Boolean> ofClustering) {
    this.types = List.copyOf(types);
    encodings = new KeyEncoding[types.size()];
    boolean any = false;
    for (int i = 0; i < encodings.length; i++) {
      KeyEncoding encoding = types.get(i).keyEncoding();
      if (ofClustering.get(i) && encoding != null && encoding.keepsWireValue()) {
        encodings[i] = encoding;
        any = true;
      }
    }
    canonical = any;
  }

  /** The types, in the order of the key. */
  public List<CqlType> types() {
    return types;
  }

  /** Whether a column has canonical values, and can be given others. */
  public boolean hasCanonical() {
    return canonical;
  }

  /**
   * Appends the value of a column as it is in keys.
   *
   * @param value wire bytes, validated
   * @param scratch is overwritten
   */
  public void put(
      int position,
      MemorySegment value,
      long offset,
      int length,
      ByteWriter scratch,
      ByteWriter out) {
    KeyEncoding encoding = encodings[position];
    if (encoding == null) {
      out.putBytes(value, offset, length);
      return;
    }
    scratch.clear();
    encoding.write(value, offset, length, false, scratch);
    long ignored = encoding.read(scratch.segment(), 0, false, out);
  }

  /** The values of all columns as they are in keys; for cold paths. */
  public List<byte[]> canonical(List<byte[]> values) {
    if (!canonical) {
      return values;
    }
    List<byte[]> keyed = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      ByteWriter value = new ByteWriter(64).putBytes(values.get(i));
      ByteWriter out = new ByteWriter(64);
      put(i, value.segment(), 0, value.size(), new ByteWriter(64), out);
      keyed.add(Bytes.toArray(out.segment(), 0, out.size()));
    }
    return keyed;
  }
}
