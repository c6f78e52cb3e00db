package io.helenus.server.metadata;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.DiskFullException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves server timestamps ten seconds ahead of the clock in a file (docs/timestamps.md). A timer
 * renews the reservation every five seconds, so that writes never wait for it; if the clock jumps
 * forward, it is renewed at once. The file is written on the I/O executor only.
 *
 * <p>An orderly stop releases the unused part of the reservation. After a kill, the first
 * timestamps are ahead of the clock by the unused part, at most ten seconds more than those of the
 * run before; {@link #pauseNanos} keeps many kills from adding up.
 */
public final class TimestampReservation implements ReservedTimestamps {
  /** The length of a reservation in microseconds. */
  public static final long STEP_MICROS = 10_000_000L;

  /** How far timestamps may be ahead of the clock without a pause. */
  private static final long AHEAD_MICROS = 3 * STEP_MICROS;

  private static final long RENEWAL_NANOS = 5_000_000_000L;
  private static final long RENEW_BELOW_MICROS = STEP_MICROS / 2;
  private static final int LIFE_RANDOM_BITS = 24;
  private static final Logger LOG = LoggerFactory.getLogger(TimestampReservation.class);

  private final TimestampFile file;
  private final Clock clock;
  private final Executor io;
  private final Scheduler scheduler;
  private final Consumer<? super Exception> fatal;
  private final long firstMicros;
  private final long firstSequence;
  private final AtomicBoolean writing = new AtomicBoolean();
  private volatile long limitMicros;
  private volatile boolean refused;

  /** Scheduler only. */
  private Scheduler.@Nullable Timer timer;

  /** Guarded by {@link #file}. */
  private boolean released;

  private TimestampReservation(
      TimestampFile file,
      Clock clock,
      Executor io,
      Scheduler scheduler,
      Consumer<? super Exception> fatal) {
    this.file = file;
    this.clock = clock;
    this.io = io;
    this.scheduler = scheduler;
    this.fatal = fatal;
    this.firstMicros = file.reservedMicros();
    this.firstSequence = file.sequence() + 1;
    this.limitMicros = firstMicros;
  }

  /**
   * Reads the reservation of the previous run. Blocks for that read only.
   *
   * @param scheduler where the timer runs
   * @param fatal notified if a reservation cannot be made durable
   */
  public static TimestampReservation open(
      FileSystem files,
      Clock clock,
      Executor io,
      Scheduler scheduler,
      Consumer<? super Exception> fatal)
      throws IOException {
    return new TimestampReservation(TimestampFile.open(files), clock, io, scheduler, fatal);
  }

  /** Checks the file of a stopped node without changing it; a missing file is valid. Blocks. */
  public static void check(FileSystem files) throws IOException {
    if (files.exists(TimestampFile.PATH)) {
      TimestampFile.open(files).close();
    }
  }

  /** Makes the first reservation; the future completes when timestamps may be used. */
  public CompletableFuture<Void> start() {
    CompletableFuture<Void> started = new CompletableFuture<>();
    writing.set(true);
    long target = Math.max(firstMicros, clock.wallMicros()) + STEP_MICROS;
    io.execute(
        () -> {
          reserve(target);
          started.complete(null);
        });
    scheduler.execute(this::scheduleRenewal);
    return started;
  }

  /**
   * Which of the node's runs this is: greater than that of any run before, as it begins with the
   * number of the record that {@link #start} makes durable. It ends with random bits, so that the
   * runs of two copies of a data folder differ.
   */
  public long life(Randomness randomness) {
    return firstSequence << LIFE_RANDOM_BITS | randomness.nextLong() >>> (64 - LIFE_RANDOM_BITS);
  }

  /**
   * For how long a node of several must not give out timestamps after its start. Nodes follow each
   * other's timestamps up to a minute beyond the clock; a node that is further ahead, since it was
   * killed again and again, would shadow what is written through the others after the next kill.
   * The pause is as long as a kill adds at most, and not longer, because a clock that was set back
   * never makes up for it.
   */
  public long pauseNanos() {
    long wall = clock.wallMicros();
    // far below the clock if no timestamp was ever given out: their difference would overflow
    return firstMicros <= wall
        ? 0
        : Math.clamp(firstMicros - wall - AHEAD_MICROS, 0, STEP_MICROS) * 1_000;
  }

  private void scheduleRenewal() {
    timer = scheduler.schedule(this::renew, RENEWAL_NANOS);
  }

  private void renew() {
    refused = false;
    extend(clock.wallMicros());
    scheduleRenewal();
  }

  @Override
  public long firstMicros() {
    return firstMicros;
  }

  @Override
  public long limitMicros() {
    return limitMicros;
  }

  @Override
  public void extend(long aboveMicros) {
    long limit = limitMicros;
    boolean enough = limit != Long.MIN_VALUE && limit - aboveMicros > RENEW_BELOW_MICROS;
    if (enough || refused || !writing.compareAndSet(false, true)) {
      return;
    }
    io.execute(() -> reserve(aboveMicros + STEP_MICROS));
  }

  private void reserve(long newLimitMicros) {
    try {
      synchronized (file) {
        if (!released) {
          file.write(newLimitMicros);
          limitMicros = newLimitMicros;
        }
      }
    } catch (DiskFullException e) {
      refused = true;
      LOG.warn(
          "Cannot reserve server timestamps: {}. Writes without a timestamp are rejected once the"
              + " current reservation is used up; free disk space",
          e.getMessage());
    } catch (IOException | RuntimeException e) {
      fatal.accept(e);
    } finally {
      writing.set(false);
    }
  }

  /**
   * Releases the unused part of the reservation and closes the file. To be called after the last
   * timestamp was used and before the scheduler stops.
   *
   * @param unusedMicros the first unused timestamp
   */
  public CompletableFuture<Void> release(long unusedMicros) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    scheduler.execute(
        () -> {
          if (timer != null) {
            timer.cancel();
          }
          io.execute(() -> release(unusedMicros, done));
        });
    return done;
  }

  private void release(long unusedMicros, CompletableFuture<Void> done) {
    try {
      synchronized (file) {
        if (!released) {
          released = true;
          long limit = Math.max(firstMicros, unusedMicros);
          if (limit < limitMicros) {
            limitMicros = limit;
            file.write(limit);
          }
          file.close();
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Cannot release the reservation of server timestamps; after the next start they are up to"
              + " {} s ahead of the clock",
          STEP_MICROS / 1_000_000,
          e);
    }
    done.complete(null);
  }
}
