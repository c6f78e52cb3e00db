package io.helenus.server.types;

/**
 * A value of type duration: months, days and nanoseconds, all of one sign. Immutable.
 *
 * @param months whole months; negative for a negative duration
 * @param days whole days; negative for a negative duration
 * @param nanoseconds the remaining time; negative for a negative duration
 */
public record CqlDuration(int months, int days, long nanoseconds) {
  /** Decodes wire bytes, which must be valid. */
  public static CqlDuration of(byte[] wire) {
    return Durations.read(wire);
  }

  /** The wire bytes. */
  public byte[] toWire() {
    return Durations.write(this);
  }

  /** The text {@code 1y2mo3d4h}; empty for a zero duration. */
  public String toText() {
    return DurationText.toText(this);
  }
}
