package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log in a simulated world. Records are numbers, padded to a length. */
final class LogFixture implements CommitLog.Owner {
  static final int SEGMENT_BYTES = 8192;

  final SimWorld world;
  final SimFileSystem files;
  final List<Long> acknowledged = new ArrayList<>();
  final List<Long> batchSizes = new ArrayList<>();
  final List<Exception> fatal = new ArrayList<>();
  final List<String> warnings = new ArrayList<>();
  @Nullable IOException full;
  CommitLog log;
  private long start;
  private final SyncMode mode;

  LogFixture(long seed, SyncMode mode) {
    world = new SimWorld(seed);
    files = new SimFileSystem(new SimRandomness(seed));
    this.mode = mode;
    log = newLog();
  }

  private CommitLog newLog() {
    Scheduler shard = world.scheduler("shard");
    LogOptions options =
        new LogOptions(
            LogFiles.logId(start++, 0), mode, 1_000_000_000L, SEGMENT_BYTES, files.bootId());
    return new CommitLog(
        files, shard, world.pool("io"), options, this, fatal::add, new LargeSegments());
  }

  /** Drops all tasks and creates a new log, as a restart of the node does. */
  void restart() {
    world.forgetTasks();
    acknowledged.clear();
    log = newLog();
  }

  long append(long number, int length) {
    ByteWriter payload = new ByteWriter(length).putLong(number);
    while (payload.size() < length) {
      payload.putByte((int) number);
    }
    return log.append(payload.segment(), 0, length, number);
  }

  /** Appends a record, waiting for space if necessary. */
  long appendWaiting(long number, int length) {
    long position = append(number, length);
    while (position == CommitLog.NO_ROOM) {
      if (!world.step()) {
        throw new AssertionError("no space, and no tasks are left to run");
      }
      position = append(number, length);
    }
    return position;
  }

  /** Appends numbers, one per tick, and runs everything to completion. */
  void write(long from, long to, int length) {
    for (long number = from; number < to; number++) {
      appendWaiting(number, length);
      log.endTick();
    }
    world.runReady();
  }

  /** The records that a restart would replay. */
  List<Long> replay(boolean skipDamage) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (LogFiles.OldLog old : LogFiles.find(files)) {
      LogReplay.OnDamage onDamage =
          skipDamage ? LogReplay.OnDamage.reporting(warnings::add) : LogReplay.OnDamage.failing();
      new LogReplay(files, old, onDamage, warnings::add)
          .run(
              (logId, position, segment, offset, length) ->
                  numbers.add(Bytes.getLong(segment, offset)));
    }
    return numbers;
  }

  /** Runs until the scheduled simulated crash. */
  void runToCrash(Runnable work) {
    try {
      work.run();
      world.runReady();
      throw new AssertionError("the scheduled crash did not happen");
    } catch (SimulatedCrash expected) {
      world.forgetTasks();
    }
  }

  @Override
  public void onDurable(LogBatch batch) {
    batchSizes.add((long) batch.count());
    for (int i = 0; i < batch.count(); i++) {
      acknowledged.add((Long) batch.tag(i));
    }
  }

  @Override
  public void onRoom() {
    // appendWaiting retries
  }

  @Override
  public void onDiskFull(IOException why, boolean again) {
    full = why;
  }

  @Override
  public void onSynced() {
    // the tests release segments themselves
  }
}
