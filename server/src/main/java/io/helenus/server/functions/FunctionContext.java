package io.helenus.server.functions;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;

/**
 * The clock and randomness of functions. One thread at a time: a shard has one, and so has each of
 * its reads, since they compute their rows on the shards that own them.
 *
 * <p>Time-based UUIDs never repeat and always increase: their time is the wall clock in units of
 * 100 ns, or one more than that of the previous UUID if the clock has not advanced. Their low half
 * is chosen once.
 */
public final class FunctionContext {
  /** Between 1582-10-15 and 1970-01-01, in units of 100 ns. */
  static final long UUID_EPOCH_OFFSET = 0x01B2_1DD2_1381_4000L;

  /** 2010-01-01. */
  private static final long MIRROR_MICROS = 1_262_304_000_000_000L;

  private final Clock clock;
  private final Randomness randomness;
  private final long timeUuidLowHalf;
  private long lastUuidTime;
  private long firstPrecedingTime = Long.MAX_VALUE;

  /** Chooses the low half of time-based UUIDs at random. */
  public FunctionContext(Clock clock, Randomness randomness) {
    this.clock = clock;
    this.randomness = randomness;
    long bits = randomness.nextLong();
    // Variant 2; the multicast bit marks a node id that is not a network address (RFC 9562, 6.10).
    this.timeUuidLowHalf = (bits & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0100_0000_0000L;
  }

  /** A context with the same clock and randomness that another thread may use. */
  public FunctionContext another() {
    return new FunctionContext(clock, randomness);
  }

  /** Microseconds since 1970. */
  public long wallMicros() {
    return clock.wallMicros();
  }

  /** Milliseconds since 1970. */
  public long wallMillis() {
    return Math.floorDiv(clock.wallMicros(), 1000);
  }

  /** Appends a new time-based UUID. */
  public void putTimeUuid(ByteWriter out) {
    long time = clock.wallMicros() * 10 + UUID_EPOCH_OFFSET;
    lastUuidTime = Math.max(time, lastUuidTime + 1);
    out.putLong(timeUuidHighHalf(lastUuidTime)).putLong(timeUuidLowHalf);
  }

  /**
   * Reserves the times of UUIDs that precede all earlier ones. As in Cassandra they are the wall
   * clock mirrored at 2010-01-01, in units of 100 ns.
   *
   * @return the first time; the others follow in steps of one
   */
  public long reservePrecedingTimes(int count) {
    long mirrored = 2 * MIRROR_MICROS * 10 - clock.wallMicros() * 10 + UUID_EPOCH_OFFSET;
    firstPrecedingTime = Math.min(mirrored, firstPrecedingTime) - count;
    return firstPrecedingTime;
  }

  /** Appends the UUID of a reserved time. */
  public void putTimeUuid(long time, ByteWriter out) {
    out.putLong(timeUuidHighHalf(time)).putLong(timeUuidLowHalf);
  }

  /** Appends a new random UUID. */
  public void putRandomUuid(ByteWriter out) {
    out.putLong((randomness.nextLong() & ~0xF000L) | 0x4000L);
    out.putLong((randomness.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE);
  }

  /** The high half of a time-based UUID for a time in units of 100 ns since 1582-10-15. */
  static long timeUuidHighHalf(long uuidTime) {
    return (uuidTime << 32)
        | ((uuidTime >>> 16) & 0xFFFF_0000L)
        | ((uuidTime >>> 48) & 0x0FFF)
        | 0x1000;
  }

  /** Milliseconds since 1970 of the high half of a time-based UUID. */
  static long millisOf(long timeUuidHighHalf) {
    long time =
        ((timeUuidHighHalf & 0x0FFF) << 48)
            | ((timeUuidHighHalf & 0xFFFF_0000L) << 16)
            | (timeUuidHighHalf >>> 32);
    return Math.floorDiv(time - UUID_EPOCH_OFFSET, 10_000);
  }
}
