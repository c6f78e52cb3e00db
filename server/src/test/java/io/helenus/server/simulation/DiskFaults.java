package io.helenus.server.simulation;

import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.IOException;
import java.util.Set;

/** Injected disk faults, one kind at a time. */
final class DiskFaults {
  private enum Kind {
    NONE(Set.of(), ""),
    READ(Set.of(Operation.READ), "sstables/"),
    FLUSH(Set.of(Operation.CREATE, Operation.WRITE), "sstables/"),
    FLUSH_SYNC(Set.of(Operation.SYNC, Operation.SYNC_FOLDER), "sstables"),
    LOG_WRITE(Set.of(Operation.WRITE), "commitlog/"),
    LOG_SYNC(Set.of(Operation.SYNC), "commitlog/"),
    FULL(Set.of(), "");

    private final Set<Operation> operations;
    private final String pathStart;

    Kind(Set<Operation> operations, String pathStart) {
      this.operations = operations;
      this.pathStart = pathStart;
    }
  }

  private final SimFileSystem disk;
  private Kind kind = Kind.NONE;
  private long readFaultNanos = Long.MIN_VALUE;

  /** The time at which the last faults ended. */
  long lastActiveNanos = Long.MIN_VALUE;

  DiskFaults(SimFileSystem disk) {
    this.disk = disk;
  }

  boolean areActive() {
    return kind != Kind.NONE;
  }

  boolean isFull() {
    return kind == Kind.FULL;
  }

  /** Whether records may have been written although the writer got an error. */
  boolean isLogFailing() {
    return kind == Kind.LOG_WRITE || kind == Kind.LOG_SYNC;
  }

  boolean mayFailReads(long sinceNanos) {
    return kind == Kind.READ || readFaultNanos >= sinceNanos - 1_000_000_000L;
  }

  /** Starts a fault; returns its description. */
  String begin(SimRandomness choices) {
    kind = Kind.values()[1 + choices.below(Kind.values().length - 1)];
    if (kind == Kind.FULL) {
      disk.capacity(disk.usedBytes() + choices.below(3_000));
    }
    SimRandomness dice = choices.split();
    Kind begun = kind;
    int percent = begun == Kind.LOG_WRITE || begun == Kind.LOG_SYNC ? 20 : 50;
    disk.faults(
        (operation, path) -> {
          if (begun.operations.contains(operation)
              && path.startsWith(begun.pathStart)
              && dice.percent(percent)) {
            throw new IOException(path + ": input/output error");
          }
        });
    return "disk fault " + begun;
  }

  /** Ends all faults. */
  void heal(long nowNanos) {
    if (areActive()) {
      lastActiveNanos = nowNanos;
      readFaultNanos = kind == Kind.READ ? nowNanos : readFaultNanos;
    }
    if (nowNanos == Long.MIN_VALUE) {
      lastActiveNanos = nowNanos;
      readFaultNanos = nowNanos;
    }
    kind = Kind.NONE;
    disk.capacity(Long.MAX_VALUE);
    disk.faults(SimFileSystem.Faults.NONE);
  }
}
