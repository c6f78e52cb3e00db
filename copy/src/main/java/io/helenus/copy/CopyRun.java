package io.helenus.copy;

import io.helenus.copy.cluster.CopyException;
import io.helenus.copy.cluster.Side;
import io.helenus.copy.compare.Differences;
import io.helenus.copy.compare.RangeComparison;
import io.helenus.copy.rows.CounterWriter;
import io.helenus.copy.rows.RowWriter;
import io.helenus.copy.rows.SectionWriter;
import io.helenus.copy.rows.Table;
import io.helenus.copy.rows.TableReader;
import io.helenus.copy.rows.TokenRange;
import io.helenus.copy.schema.SchemaCopy;
import io.helenus.copy.schema.Selection;
import io.helenus.copy.work.Limits;
import io.helenus.copy.work.Progress;
import io.helenus.copy.work.RangeCopy;
import io.helenus.copy.work.StateFile;
import io.helenus.copy.work.Workers;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One copy, from the definitions to the comparison. Used by one thread, which starts others. */
final class CopyRun {
  private static final long MICROS = 1000;

  private final CopyOptions options;
  private final Side source;
  private final Side target;
  private final boolean terminal;
  private final PrintStream out;
  private final PrintStream err;
  private final Limits limits;

  /** Shows the copy or comparison that is running, for the message if it is interrupted. */
  private final AtomicReference<@Nullable Progress> shown = new AtomicReference<>();

  CopyRun(
      CopyOptions options,
      Side source,
      Side target,
      boolean terminal,
      PrintStream out,
      PrintStream err) {
    this.options = options;
    this.source = source;
    this.target = target;
    this.terminal = terminal;
    this.out = out;
    this.err = err;
    limits = new Limits(options.rate());
  }

  /**
   * Does what the options say.
   *
   * @return whether both sides are equal, as far as they were compared
   */
  boolean run() {
    if (!Collections.disjoint(
        source.metadata().getNodes().keySet(), target.metadata().getNodes().keySet())) {
      throw new CopyException("--from and --to are the same cluster");
    }
    List<Selection> selections = Selection.find(source, options.names());
    SchemaCopy schema = new SchemaCopy(source, target, options.replication());
    if (options.isSchemaCopied()) {
      create(schema, selections);
    }
    selections.forEach(schema::check);
    List<Table> tables =
        selections.stream().flatMap(some -> some.tables().stream()).map(Table::of).toList();
    TokenRange.Ring ring = ring(source);
    List<TokenRange> ranges = TokenRange.divide(ring, options.ranges());
    Thread note = new Thread(this::noteInterruption);
    Runtime.getRuntime().addShutdownHook(note);
    try (StateFile state =
        StateFile.open(options.state(), options.identity(), System.currentTimeMillis() * MICROS)) {
      if (options.isCopying()) {
        copy(tables, ring, ranges, state);
      }
      boolean equal = !options.isComparing() || compare(tables, ring, ranges, state);
      state.delete();
      return equal;
    }
  }

  private static TokenRange.Ring ring(Side side) {
    var row = side.execute("SELECT partitioner FROM system.local").one();
    String partitioner = row == null ? null : row.getString(0);
    return TokenRange.Ring.of(partitioner == null ? "" : partitioner);
  }

  private void create(SchemaCopy schema, List<Selection> selections) {
    List<String> refused = new ArrayList<>();
    selections.forEach(selection -> refused.addAll(schema.create(selection)));
    target.refreshSchema();
    if (refused.isEmpty()) {
      return;
    }
    String list = "\n  " + String.join("\n  ", refused);
    if (!options.isUnsupportedSkipped()) {
      throw new CopyException(
          target.hosts()
              + " does not take:"
              + list
              + "\nNo row has been copied. Repeat the command with --skip-unsupported to copy"
              + " without these");
    }
    err.println("helenus copy: left out, because " + target.hosts() + " does not take it:" + list);
  }

  private void copy(
      List<Table> tables, TokenRange.Ring ring, List<TokenRange> ranges, StateFile state) {
    long all = (long) tables.size() * ranges.size();
    long finished = tables.stream().mapToLong(table -> state.copied(table.name()).size()).sum();
    noteFinished("goes on after ", finished, all);
    try (Progress progress = new Progress(err, terminal, all, finished)) {
      shown.set(progress);
      for (Table table : tables) {
        copy(table, ring, ranges, state, progress);
      }
    }
    shown.set(null);
  }

  private void noteFinished(String what, long finished, long all) {
    if (finished > 0) {
      err.println("helenus copy: " + what + finished + " of " + all + " ranges");
    }
  }

  private void noteInterruption() {
    Progress progress = shown.get();
    if (progress != null) {
      progress.print(
          "helenus copy: ended early; repeat the same command to go on (state in "
              + options.state()
              + ")");
    }
  }

  private void copy(
      Table table,
      TokenRange.Ring ring,
      List<TokenRange> ranges,
      StateFile state,
      Progress progress) {
    progress.begin("copying " + table.name());
    Set<Integer> done = state.copied(table.name());
    TableReader from = new TableReader(source, table, ring);
    TableReader to = new TableReader(target, table, ring(target));
    if (table.isCounter() && !state.isBegun(table.name()) && !options.areCountersOverwritten()) {
      checkEmpty(table);
    }
    state.begin(table.name(), table.toString());
    List<String> untold = from.withoutWriteTimes();
    if (!untold.isEmpty()) {
      progress.print(
          "helenus copy: "
              + source.hosts()
              + " does not tell the write times and TTLs of elements: those of "
              + String.join(", ", untold)
              + " in "
              + table.name()
              + " get the ones of their row");
    }
    RangeCopy copy =
        new RangeCopy(
            table,
            from,
            table.hasStatics() ? writer(table, true, to, state) : null,
            writer(table, false, to, state),
            limits,
            progress::countRows);
    LongAdder rows = new LongAdder();
    Workers.run(
        ranges.stream().filter(range -> !done.contains(range.index())).toList(),
        options.parallel(),
        range -> {
          long copied = copy.copy(range);
          rows.add(copied);
          state.addCopied(table.name(), range.index(), copied);
          progress.countRange();
        });
    long all = rows.sum() + state.copiedRows(table.name());
    progress.print(String.format(Locale.ROOT, "copied %s: %,d rows", table.name(), all));
  }

  private SectionWriter writer(Table table, boolean statics, TableReader to, StateFile state) {
    return table.isCounter()
        ? new CounterWriter(target, table, statics, to)
        : new RowWriter(target, table, statics, to, state.started());
  }

  private void checkEmpty(Table table) {
    if (target.execute("SELECT * FROM " + table.name() + " LIMIT 1").one() != null) {
      throw new CopyException(
          "the counters of "
              + table.name()
              + " already have values in "
              + target.hosts()
              + ". Counters have no write times, so those values would be lost: truncate the table"
              + " there, or repeat the command with --overwrite-counters");
    }
  }

  private boolean compare(
      List<Table> tables, TokenRange.Ring ring, List<TokenRange> ranges, StateFile state) {
    if (ring != ring(target)) {
      throw new CopyException(
          "the partitioners of both clusters differ, so their rows are not in the same order and"
              + " cannot be compared; use --no-compare");
    }
    boolean equal = true;
    long all = (long) tables.size() * ranges.size();
    long finished = tables.stream().mapToLong(table -> state.equal(table.name()).size()).sum();
    noteFinished("goes on comparing after ", finished, all);
    try (Progress progress = new Progress(err, terminal, all, finished)) {
      shown.set(progress);
      for (Table table : tables) {
        equal &= compare(table, ring, ranges, state, progress);
      }
    }
    shown.set(null);
    return equal;
  }

  private boolean compare(
      Table table,
      TokenRange.Ring ring,
      List<TokenRange> ranges,
      StateFile state,
      Progress progress) {
    progress.begin("comparing " + table.name());
    state.begin(table.name(), table.toString());
    Set<Integer> equal = state.equal(table.name());
    TableReader from = new TableReader(source, table, ring);
    TableReader to = new TableReader(target, table, ring);
    Differences differences = new Differences(options.differences());
    LongAdder rows = new LongAdder();
    Workers.run(
        ranges.stream().filter(range -> !equal.contains(range.index())).toList(),
        options.parallel(),
        range -> {
          RangeComparison comparison =
              new RangeComparison(
                  table,
                  ring,
                  from,
                  to,
                  differences,
                  more -> {
                    limits.awaitTurn();
                    progress.countRows(more);
                  });
          long compared = comparison.compare(range);
          rows.add(compared);
          if (comparison.isEqual()) {
            state.addEqual(table.name(), range.index(), compared);
          }
          progress.countRange();
        });
    if (differences.rows() == 0) {
      long all = rows.sum() + state.equalRows(table.name());
      out.println(String.format(Locale.ROOT, "equal %s: %,d rows", table.name(), all));
      return true;
    }
    out.println(
        String.format(
            Locale.ROOT,
            "different %s: %s%,d rows; the first are",
            table.name(),
            differences.isFull() ? "at least " : "",
            differences.rows()));
    differences.first().forEach(difference -> out.println("  " + difference));
    return false;
  }
}
