package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the wire bytes of collections, tuples, user types and vectors from those of their
 * parts. Stateless; for cold paths.
 */
public final class CompositeValues {
  private CompositeValues() {}

  /**
   * Assembles a value.
   *
   * @param type a type that has {@link CqlType#parts}
   * @param parts the elements, components or fields in order, null for null; for a map, keys and
   *     values alternate. Elements of a set and entries of a map may have any order and repeat.
   * @throws CqlException INVALID if a collection or vector contains null
   */
  public static byte[] assemble(CqlType type, List<byte @Nullable []> parts) {
    return switch (type) {
      case ListType ignored -> WireValues.ofElements(present(parts));
      case SetType set -> {
        TreeSet<byte[]> elements = new TreeSet<>(set.element()::compare);
        elements.addAll(present(parts));
        yield WireValues.ofElements(elements);
      }
      case MapType map -> entries(map, present(parts));
      case TupleType ignored -> WireValues.ofComponents(parts);
      case UserType ignored -> WireValues.ofComponents(parts);
      case VectorType vector -> VectorValues.of(vector, parts);
      case ScalarType ignored -> throw new IllegalArgumentException("no parts: " + type.toCql());
      case CustomType ignored -> throw new IllegalArgumentException("no parts: " + type.toCql());
    };
  }

  /**
   * Assembles a value of a select list: as in Cassandra, elements of a list and values of a map may
   * be null there.
   *
   * @throws CqlException INVALID if a set element, map key or vector element is null
   */
  public static byte[] assembleSelected(CqlType type, List<byte @Nullable []> parts) {
    return switch (type) {
      case ListType ignored -> withCount(parts.size(), parts);
      case MapType map -> {
        TreeMap<byte[], byte @Nullable []> entries = new TreeMap<>(map.key()::compare);
        for (int i = 0; i < parts.size(); i += 2) {
          byte[] key = present(parts.subList(i, i + 1)).getFirst();
          entries.put(key, parts.get(i + 1));
        }
        List<byte @Nullable []> sorted = new ArrayList<>(2 * entries.size());
        entries.forEach(
            (key, value) -> {
              sorted.add(key);
              sorted.add(value);
            });
        yield withCount(entries.size(), sorted);
      }
      default -> assemble(type, parts);
    };
  }

  private static byte[] withCount(int count, List<byte @Nullable []> parts) {
    byte[] body = WireValues.ofComponents(parts);
    return ByteBuffer.allocate(Integer.BYTES + body.length).putInt(count).put(body).array();
  }

  /**
   * Whether {@link #reencoded} can change bound values of a type; Cassandra decodes a bound
   * collection, but only splits a bound vector into its elements.
   */
  public static boolean needsReencodingWhenBound(CqlType type) {
    return !(type instanceof VectorType) && needsReencoding(type);
  }

  /** Whether {@link #reencoded} can change values of a type. */
  private static boolean needsReencoding(CqlType type) {
    return switch (type) {
      case SetType set -> set.frozen() || needsReencodingInside(set.element());
      case MapType map ->
          map.frozen() || needsReencodingInside(map.key()) || needsReencodingInside(map.value());
      case ListType list -> needsReencodingInside(list.element());
      case VectorType vector -> needsReencodingInside(vector.element().freeze());
      case ScalarType ignored -> false;
      case TupleType ignored -> false;
      case UserType ignored -> false;
      case CustomType ignored -> false;
    };
  }

  /** Whether {@link #reencodedInside} can change elements, keys and values of a type. */
  public static boolean needsReencodingInside(CqlType type) {
    return type instanceof ScalarType scalar
        ? ScalarForm.isOneOfSeveral(scalar)
        : needsReencoding(type);
  }

  /**
   * Sorts the sets and maps in a valid value, removes repeated elements and keys, and spells
   * elements as usual, as Cassandra does to bound collections; what is inside tuples and user types
   * stays as it is.
   */
  public static byte[] reencoded(CqlType type, byte[] value) {
    if (!needsReencoding(type)) {
      return value;
    }
    List<byte[]> parts =
        type instanceof VectorType vector
            ? VectorValues.elements(vector, value)
            : Structures.collectionParts(value, type instanceof MapType ? 2 : 1);
    List<byte @Nullable []> changed = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      CqlType part = type.parts().get(i % type.parts().size()).freeze();
      changed.add(reencodedInside(part, parts.get(i)));
    }
    return assemble(type, changed);
  }

  /**
   * Whether {@link #reencoded} is known to leave a valid value as it is, found without copying it:
   * a list of scalar values, most of which are in their canonical form.
   */
  public static boolean isUsual(CqlType type, MemorySegment segment, long offset, int length) {
    if (!(type instanceof ListType list)
        || !(list.element() instanceof ScalarType element)
        || length < Integer.BYTES) {
      return false;
    }
    long at = offset + Integer.BYTES;
    for (int i = Bytes.getInt(segment, offset); i > 0; i--) {
      int bytes = Bytes.getInt(segment, at);
      at += Integer.BYTES;
      if (!ScalarForm.isUsual(element, segment, at, bytes)) {
        return false;
      }
      at += Math.max(0, bytes);
    }
    return at == offset + length;
  }

  /** The same for an element of a bound collection. */
  public static boolean isUsualInside(
      CqlType type, MemorySegment segment, long offset, int length) {
    return type instanceof ScalarType scalar
        ? ScalarForm.isUsual(scalar, segment, offset, length)
        : isUsual(type, segment, offset, length);
  }

  /** What {@link #reencoded} does, for an element of a bound collection. */
  public static byte[] reencodedInside(CqlType type, byte[] value) {
    return type instanceof ScalarType scalar
        ? ScalarForm.usual(scalar, value)
        : reencoded(type, value);
  }

  private static List<byte[]> present(List<byte @Nullable []> parts) {
    List<byte[]> present = new ArrayList<>(parts.size());
    for (byte[] part : parts) {
      if (part == null) {
        throw CqlException.invalid("null is not supported inside collections");
      }
      present.add(part);
    }
    return present;
  }

  private static byte[] entries(MapType type, List<byte[]> keysAndValues) {
    TreeMap<byte[], byte[]> entries = new TreeMap<>(type.key()::compare);
    for (int i = 0; i < keysAndValues.size(); i += 2) {
      entries.put(keysAndValues.get(i), keysAndValues.get(i + 1));
    }
    List<byte[]> sorted = new ArrayList<>(2 * entries.size());
    entries.forEach(
        (key, value) -> {
          sorted.add(key);
          sorted.add(value);
        });
    return WireValues.ofEntries(sorted);
  }
}
