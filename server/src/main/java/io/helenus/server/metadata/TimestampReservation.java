package io.helenus.server.metadata;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.DiskFullException;
import io.helenus.storage.env.FileSystem;
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
 * Reserves server timestamps ahead, in steps of ten seconds, in a file (docs/timestamps.md). A
 * timer renews the reservation every five seconds, so that a write never waits for it; a clock that
 * jumps forward makes it due at once. All writes of the file are on the I/O executor.
 *
 * <p>A stop in order takes the unused part of the reservation back; after a kill the first
 * timestamps are ahead of the clock by what was left of it, ten seconds at most.
 */
public final class TimestampReservation implements ReservedTimestamps {
  /** How much is reserved ahead. */
  public static final long STEP_MICROS = 10_000_000L;

  private static final long RENEWAL_NANOS = 5_000_000_000L;
  private static final long RENEW_BELOW_MICROS = STEP_MICROS / 2;
  private static final Logger LOG = LoggerFactory.getLogger(TimestampReservation.class);

  private final TimestampFile file;
  private final Clock clock;
  private final Executor io;
  private final Scheduler scheduler;
  private final Consumer<? super Exception> fatal;
  private final long firstMicros;
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
    this.limitMicros = firstMicros;
  }

  /**
   * Reads what the last run has reserved. Blocks for that read only.
   *
   * @param scheduler where the timer runs
   * @param fatal told when a reservation cannot be made durable
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

  /** Checks the file of a stopped node and changes nothing; a missing one is no damage. Blocks. */
  public static void check(FileSystem files) throws IOException {
    if (files.exists(TimestampFile.PATH)) {
      TimestampFile.open(files).close();
    }
  }

  /** Makes the first reservation; the future ends when timestamps may be given out. */
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
          "Server timestamps cannot be reserved: {}. Writes without a timestamp are refused when"
              + " the current reservation is used up; free disk space",
          e.getMessage());
    } catch (IOException | RuntimeException e) {
      fatal.accept(e);
    } finally {
      writing.set(false);
    }
  }

  /**
   * Takes back what was reserved and not used, and closes the file. After the last timestamp was
   * given out; before the scheduler ends.
   *
   * @param unusedMicros the first timestamp that was not used
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
          "The reservation of server timestamps could not be taken back; the next start begins up"
              + " to {} s ahead of the clock",
          STEP_MICROS / 1_000_000,
          e);
    }
    done.complete(null);
  }
}
