package io.helenus.bench;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.MemtableCursor;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A memtable of a million rows of about 220 bytes, in partitions of one row or all in one
 * partition: overwrite, insert, lookup, scan of 50 neighbours.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx1g",
      "-XX:+UseSerialGC",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class MemtableBenchmark {
  private static final int ROWS = 1_000_000;
  private static final int TABLE = 1;

  /** Whether all rows are in one partition. */
  @Param({"false", "true"})
  public boolean wide;

  private final Snapshots snapshots = new Snapshots();
  private final SlabPool pool = new SlabPool(Arena.ofShared());
  private Memtable memtable = new Memtable(TABLE, pool, snapshots);
  private final MemtableCursor cursor = new MemtableCursor();
  private final ByteWriter bytes = new ByteWriter(512);
  private final MutationWriter mutation = new MutationWriter(bytes);
  private final MutationView view = new MutationView();
  private final ByteWriter value = new ByteWriter(64);
  private final ByteWriter prefix = new ByteWriter(64);
  private final ByteWriter suffix = new ByteWriter(64);
  private final ByteWriter key = new ByteWriter(64);
  private long timestamp = 1;
  private long random = 1;
  private long fresh = ROWS;

  /** Fills the memtable. */
  @Setup
  public void fill() {
    for (int i = 0; i < 50; i++) {
      value.putByte('a' + i % 26);
    }
    for (int i = 0; i < ROWS; i++) {
      write(scramble(i));
    }
    memtable.openRows(cursor, Snapshots.ALL);
    System.out.println("memtable bytes per row: " + memtable.memoryBytes() / ROWS);
  }

  private static long scramble(long number) {
    return number * 0x9E3779B97F4A7C15L;
  }

  private void makeKey(long number) {
    prefix.clear();
    suffix.clear().putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_VALUE);
    if (wide) {
      prefix.putLong(77).putLong(0x4142434445464748L).putShort(0);
      suffix.putLong(number);
    } else {
      prefix.putLong(number).putLong(0x4142434445464748L).putShort(0);
      suffix.putLong(7);
    }
    suffix.putByte(KeyFormat.TAG_END);
  }

  private void write(long number) {
    makeKey(number);
    bytes.clear();
    mutation.begin(number, 1, prefix.segment(), 0, prefix.size()).beginTable(TABLE);
    mutation.beginRow(suffix.segment(), 0, suffix.size()).liveness(timestamp);
    for (int column = 1; column <= 4; column++) {
      mutation.cell(column, timestamp, value.segment(), 0, value.size());
    }
    mutation.endRow().endTable().finish();
    timestamp++;
    view.wrap(bytes.segment(), 0, bytes.size());
    if (view.nextTable()) {
      memtable.apply(view, snapshots.next());
    }
  }

  private long next() {
    random = random * 6364136223846793005L + 1442695040888963407L;
    return scramble((random >>> 33) % ROWS);
  }

  /** A new row among a million; the memtable is rebuilt when it has doubled. */
  @Benchmark
  public long insert() {
    if (fresh > 2 * ROWS) {
      memtable.release();
      memtable = new Memtable(TABLE, pool, snapshots);
      fresh = 0;
    }
    write(scramble(fresh++));
    return memtable.entryCount();
  }

  /** All cells of an existing row. */
  @Benchmark
  public long overwrite() {
    write(next());
    return memtable.entryCount();
  }

  /** Finds an existing row by its key. */
  @Benchmark
  public long lookup() {
    makeKey(next());
    key.clear().putBytes(prefix.segment(), 0, prefix.size());
    key.putBytes(suffix.segment(), 0, suffix.size());
    EntryCursor.Step step = cursor.find(key.segment(), 0, key.size(), prefix.size());
    return step.ordinal() + Bytes.getLong(cursor.valueSegment(), cursor.valueOffset());
  }

  /** Fifty rows starting at a random one; touches the first bytes of each. */
  @Benchmark
  public long scanOf50() {
    makeKey(next());
    key.clear().putBytes(prefix.segment(), 0, prefix.size());
    key.putBytes(suffix.segment(), 0, suffix.size());
    EntryCursor.Step step = cursor.seek(key.segment(), 0, key.size(), 0);
    long sum = 0;
    for (int i = 0; i < 50 && step == EntryCursor.Step.READY; i++) {
      sum += Bytes.getLong(cursor.valueSegment(), cursor.valueOffset());
      step = cursor.next();
    }
    return sum;
  }
}
