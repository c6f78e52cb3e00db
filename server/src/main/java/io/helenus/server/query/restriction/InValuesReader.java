package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Iterates over the values of an IN, listed or bound as one list. Stateless; any thread. */
public final class InValuesReader {
  private InValuesReader() {}

  /** Receives the values in order. */
  public interface Visitor {
    /**
     * Receives one value for each column; valid until the method returns. A tuple of a bound list
     * may have too few elements ({@link TupleValues#given}).
     */
    void value(TupleValues values);
  }

  /**
   * Calls the visitor for each value of an IN.
   *
   * @param scratch reused to pass values to the visitor
   * @throws CqlException INVALID if a bound list is null, unset or malformed
   */
  public static void forEach(
      Restriction.In in, BoundSlots bound, TupleValues scratch, Visitor visitor) {
    if (in.listSlot() < 0) {
      for (TupleSource source : in.values()) {
        scratch.fill(source, bound);
        visitor.value(scratch);
      }
      return;
    }
    int slot = in.listSlot();
    requireList(in, bound.length(slot));
    MemorySegment segment = bound.segment(slot);
    long at = bound.offset(slot);
    long end = at + bound.length(slot);
    int count = length(segment, at, end);
    at += 4;
    for (int i = 0; i < count; i++) {
      int length = length(segment, at, end);
      at += 4;
      if (length > end - at) {
        throw cutShort();
      }
      fill(in, segment, at, length, scratch);
      visitor.value(scratch);
      at += Math.max(length, 0);
    }
    if (at != end) {
      throw CqlException.invalid("Unexpected extraneous bytes after list value");
    }
  }

  /**
   * Reports the mistake among the listed values of key columns that Cassandra reports first,
   * wherever it is in the list: of single values a null, of tuples an unset value.
   *
   * @param scratch reused
   */
  static void refuseFirstMistake(Restriction.In in, BoundSlots bound, TupleValues scratch) {
    if (in.listSlot() >= 0) {
      return;
    }
    if (in.isTuple()) {
      in.values().forEach(source -> scratch.fill(source, bound));
      return;
    }
    for (TupleSource source : in.values()) {
      if (!source.isTuple() && bound.length(source.slots()[0]) == BoundSlots.NULL) {
        KeyWriter.requireSet(BoundSlots.NULL, in.firstColumn().name());
      }
    }
  }

  private static int length(MemorySegment segment, long at, long end) {
    if (end - at < 4) {
      throw cutShort();
    }
    return Bytes.getInt(segment, at);
  }

  private static CqlException cutShort() {
    return CqlException.invalid("Not enough bytes to read a list");
  }

  private static void fill(
      Restriction.In in, MemorySegment segment, long at, int length, TupleValues scratch) {
    if (!in.isTuple()) {
      fillOne(in.firstColumn().type(), segment, at, length, scratch);
      return;
    }
    if (length < 0) {
      throw nullIn(in);
    }
    new TupleType(in.columns().stream().map(ColumnSchema::type).toList())
        .validate(segment, at, length);
    scratch.fillTuple(segment, at, length, in.columns().size());
    for (int i = 0; i < scratch.given(); i++) {
      if (scratch.length(i) < 0) {
        throw nullIn(in);
      }
    }
  }

  private static void fillOne(
      CqlType type, MemorySegment segment, long at, int length, TupleValues scratch) {
    if (length >= 0) {
      type.validatePart(segment, at, length);
    }
    if (length == 0 && !holdsBytes(type)) {
      // Cassandra's list deserializer turns it into null
      scratch.fillOne(segment, at, BoundSlots.NULL);
    } else if (length > 0
        && CompositeValues.needsReencodingInside(type)
        && !CompositeValues.isUsualInside(type, segment, at, length)) {
      byte[] usual = CompositeValues.reencodedInside(type, Bytes.toArray(segment, at, length));
      ByteWriter bytes = new ByteWriter(usual.length).putBytes(usual);
      scratch.fillOne(bytes.segment(), 0, usual.length);
    } else {
      scratch.fillOne(segment, at, Math.max(length, BoundSlots.NULL));
    }
  }

  /** Whether an empty value is one; a tuple or user type without bytes has only nulls. */
  private static boolean holdsBytes(CqlType type) {
    return type == ScalarType.TEXT
        || type == ScalarType.ASCII
        || type == ScalarType.BLOB
        || type instanceof TupleType
        || type instanceof UserType;
  }

  /** The error for a tuple with a null. */
  static CqlException nullIn(Restriction.In in) {
    return CqlException.invalid("Invalid null value in condition for columns: " + list(in));
  }

  private static List<String> list(Restriction.In in) {
    return in.columns().stream().map(ColumnSchema::name).toList();
  }

  private static void requireList(Restriction.In in, int length) {
    if (length >= 0) {
      return;
    }
    boolean unset = length == BoundSlots.UNSET;
    if (in.isTuple()) {
      throw CqlException.invalid(
          unset
              ? "Invalid unset value for in" + TupleValues.names(in.columns())
              : "Invalid null value for IN restriction");
    }
    throw CqlException.invalid(
        "Invalid " + (unset ? "unset" : "null") + " value for column " + in.firstColumn().name());
  }
}
