package io.helenus.server.query.restriction;

import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The partitions selected by {@code =} and IN, without duplicates and in the order of their values.
 * Stateless; any thread.
 */
public final class PartitionList {
  private PartitionList() {}

  /** A partition: its token (0 in a local table) and key prefix. */
  public record Partition(long token, byte[] prefix) {}

  /**
   * Lists the partitions selected by one restriction per partition key column. Values after an
   * empty IN are not checked.
   *
   * @throws io.helenus.server.error.CqlException INVALID if a value or a key is invalid
   */
  public static List<Partition> of(
      List<Restriction> restrictions, KeyLayout keys, BoundSlots bound) {
    return of(restrictions, keys, null, bound);
  }

  /**
   * Lists the selected partitions whose token is not excluded; other keys are not validated.
   *
   * @param token the restriction of the token, if there is one
   */
  public static List<Partition> of(
      List<Restriction> restrictions,
      KeyLayout keys,
      @Nullable TokenRestriction token,
      BoundSlots bound) {
    List<Partition> partitions = new ArrayList<>();
    forEach(restrictions, keys, token, bound, key -> partitions.add(partition(key, keys)));
    return partitions;
  }

  /** Whether a partition is selected whose token is not excluded; no key is validated. */
  public static boolean isEmpty(
      List<Restriction> restrictions,
      KeyLayout keys,
      @Nullable TokenRestriction token,
      BoundSlots bound) {
    List<byte[]> any = new ArrayList<>();
    forEach(restrictions, keys, token, bound, any::addAll);
    return any.isEmpty();
  }

  /** Passes on the columns of each key whose token is not excluded. */
  private static void forEach(
      List<Restriction> restrictions,
      KeyLayout keys,
      @Nullable TokenRestriction token,
      BoundSlots bound,
      Consumer<List<byte[]>> sink) {
    TokenFilter tokens = TokenFilter.of(token, bound);
    List<List<byte[]>> columns = new ArrayList<>(restrictions.size());
    for (Restriction restriction : restrictions) {
      List<byte[]> values = values(restriction, bound);
      if (values.isEmpty()) {
        return;
      }
      columns.add(values);
    }
    forEach(
        columns,
        new ArrayList<>(),
        key -> {
          List<byte[]> values = keys.partitionTypes().canonical(key);
          if (tokens.isAll() || tokens.allows(token(values))) {
            sink.accept(values);
          }
        });
  }

  private static void forEach(
      List<List<byte[]>> columns, List<byte[]> chosen, Consumer<List<byte[]>> sink) {
    if (chosen.size() == columns.size()) {
      sink.accept(chosen);
      return;
    }
    for (byte[] value : columns.get(chosen.size())) {
      chosen.add(value);
      forEach(columns, chosen, sink);
      chosen.removeLast();
    }
  }

  private static long token(List<byte[]> values) {
    byte[] key = PartitionKeys.of(values);
    return key.length == 0 ? Long.MIN_VALUE : Murmur3.token(key);
  }

  private static Partition partition(List<byte[]> values, KeyLayout keys) {
    PartitionKeys.validateLength(values.stream().mapToLong(value -> value.length).sum());
    ByteWriter prefix = new ByteWriter(64);
    if (keys.isLocal()) {
      for (int i = 0; i < values.size(); i++) {
        ByteWriter value = new ByteWriter(64).putBytes(values.get(i));
        keys.partitionEncoding(i).write(value.segment(), 0, value.size(), false, prefix);
      }
      return new Partition(0, prefix.toArray());
    }
    byte[] key = PartitionKeys.of(values);
    PartitionKeys.validate(key.length);
    ByteWriter bytes = new ByteWriter(key.length).putBytes(key);
    KeyWriter.putPrefix(bytes.segment(), 0, key.length, prefix);
    return new Partition(Murmur3.token(key), prefix.toArray());
  }

  /** The values of one column, without duplicates and in the order of its type. */
  public static List<byte[]> values(Restriction restriction, BoundSlots bound) {
    TupleValues scratch = new TupleValues();
    ColumnSchema column = restriction.firstColumn();
    Map<Ordered, byte[]> values = new TreeMap<>();
    switch (restriction) {
      case Restriction.Equal equal -> {
        scratch.fill(equal.value(), bound);
        put(scratch, column, values);
      }
      case Restriction.In in -> {
        InValuesReader.refuseFirstMistake(in, bound, scratch);
        InValuesReader.forEach(in, bound, scratch, each -> put(each, column, values));
      }
      case Restriction.Contains ignored ->
          throw new IllegalStateException("CONTAINS on a partition key column: " + restriction);
      case Restriction.Slice ignored ->
          throw new IllegalStateException(
              "slice restriction on a partition key column: " + restriction);
    }
    return List.copyOf(values.values());
  }

  private static void put(TupleValues value, ColumnSchema column, Map<Ordered, byte[]> values) {
    KeyWriter.requireSet(value.length(0), column.name());
    byte[] bytes = Bytes.toArray(value.segment(0), value.offset(0), value.length(0));
    KeyEncoding encoding = column.type().keyEncoding();
    if (encoding == null) {
      values.putIfAbsent(new Ordered(bytes), bytes);
      return;
    }
    ByteWriter ordered = new ByteWriter(64);
    encoding.write(value.segment(0), value.offset(0), value.length(0), false, ordered);
    values.putIfAbsent(new Ordered(ordered.toArray()), bytes);
  }

  private record Ordered(byte[] bytes) implements Comparable<Ordered> {
    @Override
    public int compareTo(Ordered other) {
      return java.util.Arrays.compareUnsigned(bytes, other.bytes);
    }
  }
}
