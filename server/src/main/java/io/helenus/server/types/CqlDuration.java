package io.helenus.server.types;

/**
 * A value of type duration: months, days and nanoseconds, all of one sign. Immutable.
 *
 * @param months whole months
 * @param days whole days
 * @param nanoseconds the rest
 */
public record CqlDuration(int months, int days, long nanoseconds) {
  /** The duration of wire bytes, which must be valid. */
  public static CqlDuration of(byte[] wire) {
    return Durations.read(wire);
  }

  /** The wire bytes. */
  public byte[] toWire() {
    return Durations.write(this);
  }

  /** As {@code 1y2mo3d4h}; "" for nothing. */
  public String toText() {
    return DurationText.toText(this);
  }
}
