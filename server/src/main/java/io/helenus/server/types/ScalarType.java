package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The scalar types. Option ids follow the native protocol v5, section 4.2.5.2; types added in v4 or
 * v5 are sent to older clients as custom types, as Cassandra does.
 */
public enum ScalarType implements CqlType {
  /** US-ASCII text. */
  ASCII(0x01, "AsciiType", 3, ScalarKeyEncoding.BYTES),
  /** Eight bytes, signed. */
  BIGINT(0x02, "LongType", 3, ScalarKeyEncoding.SIGNED_64),
  /** Any bytes. */
  BLOB(0x03, "BytesType", 3, ScalarKeyEncoding.BYTES),
  /** One byte. */
  BOOLEAN(0x04, "BooleanType", 3, ScalarKeyEncoding.BOOLEAN),
  /** Eight bytes, signed; changed only by increments. */
  COUNTER(0x05, "CounterColumnType", 3, ScalarKeyEncoding.SIGNED_64),
  /** Days as four bytes; 2^31 is 1970-01-01. */
  DATE(0x11, "SimpleDateType", 4, ScalarKeyEncoding.UNSIGNED_32),
  /** Four bytes of scale, then two's complement. */
  DECIMAL(0x06, "DecimalType", 3, ScalarKeyEncoding.DECIMAL),
  /** Eight bytes, IEEE 754. */
  DOUBLE(0x07, "DoubleType", 3, ScalarKeyEncoding.DOUBLE),
  /** Months, days and nanoseconds as three vints. */
  DURATION(0x15, "DurationType", 5, null),
  /** No value: the type of columns that cannot hold values. */
  EMPTY(0x00, "EmptyType", 3, null),
  /** Four bytes, IEEE 754. */
  FLOAT(0x08, "FloatType", 3, ScalarKeyEncoding.FLOAT),
  /** An address of four or sixteen bytes. */
  INET(0x10, "InetAddressType", 3, ScalarKeyEncoding.BYTES),
  /** Four bytes, signed. */
  INT(0x09, "Int32Type", 3, ScalarKeyEncoding.SIGNED_32),
  /** Two bytes, signed. */
  SMALLINT(0x13, "ShortType", 4, ScalarKeyEncoding.SIGNED_16),
  /** UTF-8 text; varchar is the same type. */
  TEXT(0x0D, "UTF8Type", 3, ScalarKeyEncoding.BYTES),
  /** Nanoseconds since midnight, eight bytes. */
  TIME(0x12, "TimeType", 4, ScalarKeyEncoding.UNSIGNED_64),
  /** Milliseconds since 1970-01-01 UTC, eight bytes, signed. */
  TIMESTAMP(0x0B, "TimestampType", 3, ScalarKeyEncoding.SIGNED_64),
  /** A UUID of version 1. */
  TIMEUUID(0x0F, "TimeUUIDType", 3, ScalarKeyEncoding.TIMEUUID),
  /** One byte, signed. */
  TINYINT(0x14, "ByteType", 4, ScalarKeyEncoding.SIGNED_8),
  /** A UUID of any version. */
  UUID(0x0C, "UUIDType", 3, ScalarKeyEncoding.UUID),
  /** Two's complement of any length. */
  VARINT(0x0E, "IntegerType", 3, ScalarKeyEncoding.VARINT);

  /** The package prefix of Cassandra's type class names. */
  public static final String CLASS_PREFIX = "org.apache.cassandra.db.marshal.";

  private final int optionId;
  private final String simpleClassName;
  private final int sinceProtocolVersion;
  private final @Nullable KeyEncoding keyEncoding;
  private final String cqlName;

  ScalarType(
      int optionId,
      String simpleClassName,
      int sinceProtocolVersion,
      @Nullable KeyEncoding keyEncoding) {
    this.optionId = optionId;
    this.simpleClassName = simpleClassName;
    this.sinceProtocolVersion = sinceProtocolVersion;
    this.keyEncoding = keyEncoding;
    this.cqlName = name().toLowerCase(Locale.ROOT);
  }

  /** The type with a lower-case name ({@code varchar} is an alias of text); null if unknown. */
  public static @Nullable ScalarType named(String lowerCaseName) {
    if (lowerCaseName.equals("varchar")) {
      return TEXT;
    }
    for (ScalarType type : values()) {
      if (type.cqlName.equals(lowerCaseName)) {
        return type;
      }
    }
    return null;
  }

  @Override
  public String toCql() {
    return cqlName;
  }

  @Override
  public String className() {
    return CLASS_PREFIX + simpleClassName;
  }

  /** The protocol's id; 0 (custom) for the empty type. */
  public int optionId() {
    return optionId;
  }

  @Override
  public void putOption(ByteWriter out, int protocolVersion) {
    if (optionId == 0 || protocolVersion < sinceProtocolVersion) {
      CustomType.putCustomOption(className(), out);
    } else {
      out.putShort(optionId);
    }
  }

  @Override
  public @Nullable KeyEncoding keyEncoding() {
    return keyEncoding;
  }

  @Override
  public int fixedBytes() {
    return switch (this) {
      case BOOLEAN -> 1;
      case FLOAT, INT -> 4;
      case BIGINT, COUNTER, DOUBLE, TIMESTAMP -> 8;
      case TIMEUUID, UUID -> 16;
      case ASCII,
          BLOB,
          DATE,
          DECIMAL,
          DURATION,
          EMPTY,
          INET,
          SMALLINT,
          TEXT,
          TIME,
          TINYINT,
          VARINT ->
          -1;
    };
  }

  @Override
  public boolean isCounter() {
    return this == COUNTER;
  }

  @Override
  public boolean referencesDuration() {
    return this == DURATION;
  }

  /** Whether Cassandra's functions and casts treat the empty value as null. */
  public boolean isEmptyMeaningless() {
    return switch (this) {
      case ASCII, BLOB, TEXT, DURATION, EMPTY -> false;
      case BIGINT,
          BOOLEAN,
          COUNTER,
          DATE,
          DECIMAL,
          DOUBLE,
          FLOAT,
          INET,
          INT,
          SMALLINT,
          TIME,
          TIMESTAMP,
          TIMEUUID,
          TINYINT,
          UUID,
          VARINT ->
          true;
    };
  }

  @Override
  public boolean isValueCompatibleWith(CqlType other) {
    if (equals(other)) {
      return true;
    }
    return switch (this) {
      case BLOB -> true;
      case TEXT -> other == ASCII;
      case UUID -> other == TIMEUUID;
      case VARINT -> other == INT || other == BIGINT || other == TIMESTAMP;
      case BIGINT -> other == TIMESTAMP;
      case TIMESTAMP -> other == BIGINT;
      case DATE -> other == INT;
      case TIME -> other == BIGINT;
      case ASCII,
          BOOLEAN,
          COUNTER,
          DECIMAL,
          DOUBLE,
          DURATION,
          EMPTY,
          FLOAT,
          INET,
          INT,
          SMALLINT,
          TIMEUUID,
          TINYINT ->
          false;
    };
  }

  @Override
  public void validate(MemorySegment value, long offset, int length) {
    ScalarValidation.validate(this, value, offset, length);
  }

  /** As {@link #validate(MemorySegment, long, int)}, for cold paths. */
  public void validate(byte[] value) {
    MemorySegment segment = new ByteWriter(value.length).putBytes(value).segment();
    validate(segment, 0, value.length);
  }

  /**
   * Whether a constant of this kind can be used as a value of this type; {@link #fromConstant} may
   * still reject its text.
   */
  public boolean accepts(ConstantKind kind) {
    return Constants.accepts(this, kind);
  }

  /**
   * Converts a constant to wire bytes.
   *
   * @param text as written, without quotes for a string, with 0x for hex
   * @param receiver name of the column or argument, for the error text
   * @throws CqlException INVALID, with Cassandra's text
   */
  public byte[] fromConstant(ConstantKind kind, String text, String receiver) {
    return Constants.toWire(this, kind, text, receiver, null);
  }

  /**
   * As {@link #fromConstant(ConstantKind, String, String)}; the clock supplies the value of the
   * timestamp {@code 'now'}.
   */
  public byte[] fromConstant(
      ConstantKind kind, String text, String receiver, LongSupplier currentTimeMillis) {
    return Constants.toWire(this, kind, text, receiver, currentTimeMillis);
  }

  /** Converts the unquoted text of a constant of this type to wire bytes. */
  public byte[] fromString(String text) {
    return Constants.fromString(this, text, null);
  }

  @Override
  public String toLiteral(byte @Nullable [] value) {
    return ScalarText.literal(this, value);
  }

  /**
   * Formats a value as plain text, as in error texts and casts to text; an empty value yields an
   * empty string.
   */
  public String toText(byte[] value) {
    return ScalarText.text(this, value);
  }

  @Override
  public String toString() {
    return cqlName;
  }
}
