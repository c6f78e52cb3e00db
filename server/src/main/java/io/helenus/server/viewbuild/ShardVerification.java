package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.server.view.ViewComparison;
import io.helenus.server.viewbuild.ViewVerification.Counts;
import io.helenus.server.viewbuild.ViewVerification.Difference;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shard's part of a verification: its partitions of the base table, then the rows that it has
 * of the view. One step is in progress at a time, on the shard of a partition of the base table.
 * Shard thread only, except where it says otherwise.
 */
final class ShardVerification implements VerifyStep.Task {
  /** How many keys of each kind of difference are kept. */
  static final int KEYS = 5;

  private static final int ATTEMPTS = 10;
  private static final long RETRY_NANOS = 1_000_000_000;

  /** After the sections of a partition. */
  private static final int AFTER_PARTITION = KeyFormat.SECTION_ROWS + 1;

  private static final byte[] FIRST = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_BEFORE};

  private final ViewVerification verification;
  private final ViewVerification.Scope scope;
  private final Shard shard;
  private final ShardReplica part;
  private final Map<Difference, List<String>> keys = new EnumMap<>(Difference.class);
  private final ArrayDeque<byte[]> partitions = new ArrayDeque<>();
  private final ArrayDeque<List<VerifyStep.ViewRow>> groups = new ArrayDeque<>();
  private final ViewRowPage viewRows = new ViewRowPage();
  private Consumer<? super @Nullable Exception> whenEnded = ignored -> {};
  private volatile Counts counts = new Counts(0, 0, 0, 0, 0, 0);
  private @Nullable Schema compiledFor;
  private @Nullable ViewComparison comparison;
  private ByteWriter from = new ByteWriter(1);
  private boolean basePassed;
  private int attempts;

  ShardVerification(
      ViewVerification verification, ViewVerification.Scope scope, ShardReplica part) {
    this.verification = verification;
    this.scope = scope;
    this.shard = part.shard();
    this.part = part;
  }

  /** What has been found so far. Any thread. */
  Counts counts() {
    return counts;
  }

  /** The first few keys of a kind. After the end. */
  List<String> keys(Difference kind) {
    return keys.computeIfAbsent(kind, ignored -> new ArrayList<>());
  }

  void start(Consumer<? super @Nullable Exception> then) {
    whenEnded = then;
    next();
  }

  @Override
  public int baseId() {
    return scope.baseId();
  }

  @Override
  public int viewId() {
    return scope.viewId();
  }

  @Override
  public boolean repairs() {
    return scope.repairs();
  }

  @Override
  public LocalReplica replica() {
    return scope.replica();
  }

  @Override
  public Clock clock() {
    return scope.clock();
  }

  /** On the thread of the step in progress, or between two steps. */
  @Override
  public ViewComparison comparison() {
    Schema schema = scope.schema().get();
    ViewComparison present = comparison;
    if (present == null || compiledFor != schema) {
      TableSchema base = schema.table(scope.baseId());
      TableSchema view = schema.table(scope.viewId());
      if (base == null || view == null) {
        throw new CqlException(new CqlError.Invalid("The materialized view has been dropped"));
      }
      present = new ViewComparison(base, view);
      comparison = present;
      compiledFor = schema;
    }
    return present;
  }

  /** Goes on with the next partition, page or pass. */
  private void next() {
    if (verification.isStopped()) {
      whenEnded.accept(null);
    } else if (!partitions.isEmpty()) {
      compareBaseRows(partitions.removeFirst(), FIRST);
    } else if (!groups.isEmpty()) {
      compareViewRows(groups.removeFirst());
    } else if (!basePassed) {
      readPartitions();
    } else if (!viewRows.isLast()) {
      readViewRows();
    } else {
      whenEnded.accept(null);
    }
  }

  private void readPartitions() {
    ReadRequest request = new ReadRequest().reset(baseId(), now());
    request.partitions(from.segment(), 0, from.size(), from.segment(), 0, 0);
    PartitionPage page = new PartitionPage();
    read(
        request,
        page,
        stopped -> {
          partitions.addAll(page.prefixes());
          basePassed = !stopped;
          if (stopped) {
            byte[] last = partitions.getLast();
            from = new ByteWriter(last.length + 1).putBytes(last).putByte(AFTER_PARTITION);
          }
        });
  }

  private void readViewRows() {
    ReadRequest request = new ReadRequest().reset(viewId(), now());
    viewRows.request(request);
    read(
        request,
        viewRows,
        stopped -> {
          viewRows.read(stopped);
          group();
        });
  }

  /** Groups the rows of the view by the partitions of the base table whose rows they show. */
  private void group() {
    ViewComparison present = comparison();
    Map<String, List<VerifyStep.ViewRow>> byPartition = new LinkedHashMap<>();
    for (ViewRowPage.Row row : viewRows.rows()) {
      ByteWriter prefix = new ByteWriter(row.prefix().length).putBytes(row.prefix());
      ByteWriter suffix = new ByteWriter(row.suffix().length).putBytes(row.suffix());
      present.viewRow(prefix.segment(), 0, suffix.segment(), 1);
      byte[] baseClustering = present.baseClustering();
      ByteWriter baseSuffix = new ByteWriter(baseClustering.length + 1);
      baseSuffix.putByte(KeyFormat.SECTION_ROWS).putBytes(baseClustering);
      byte[] basePrefix = present.basePrefix();
      byPartition
          .computeIfAbsent(HexFormat.of().formatHex(basePrefix), ignored -> new ArrayList<>())
          .add(
              new VerifyStep.ViewRow(
                  KeyFormat.token(prefix.segment(), 0),
                  row.prefix(),
                  row.suffix(),
                  basePrefix,
                  baseSuffix.toArray()));
    }
    groups.addAll(byPartition.values());
  }

  private long now() {
    return scope.clock().wallSeconds();
  }

  private interface PageRead {
    void read(boolean stopped);
  }

  private void read(ReadRequest request, RowSink page, PageRead then) {
    part.read(
        shard,
        request,
        page,
        new ReplicaAccess.ReadReply() {
          @Override
          public void read(boolean stopped, int rows, int tombstones, long nanos) {
            try {
              then.read(stopped);
            } catch (Throwable e) {
              whenEnded.accept(shard.fatal().contain(e));
              return;
            }
            shard.executeLast(ShardVerification.this::next);
          }

          @Override
          public void notRead(Exception cause) {
            whenEnded.accept(cause);
          }
        });
  }

  private void compareBaseRows(byte[] prefix, byte[] suffix) {
    step(
        part,
        then -> VerifyStep.ofBaseRows(part, this, prefix, suffix, then),
        ended -> {
          count(ended, ended.compared(), 0);
          byte[] resumeAt = ended.resumeAt();
          if (resumeAt != null && !verification.isStopped()) {
            compareBaseRows(prefix, resumeAt);
          } else {
            next();
          }
        });
  }

  private void compareViewRows(List<VerifyStep.ViewRow> group) {
    byte[] prefix = group.getFirst().basePrefix();
    ByteWriter bytes = new ByteWriter(prefix.length).putBytes(prefix);
    ShardReplica target = scope.replica().partOf(KeyFormat.token(bytes.segment(), 0));
    step(
        target,
        then -> VerifyStep.ofViewRows(target, this, group, then),
        ended -> {
          count(ended, 0, ended.compared());
          next();
        });
  }

  private interface StepMaker {
    VerifyStep make(Consumer<VerifyStep> whenStepEnded);
  }

  /** Does a step on the shard of its partition; repeats it if there is too much to do. */
  private void step(ShardReplica target, StepMaker maker, Consumer<VerifyStep> then) {
    Shard other = target.shard();
    VerifyStep step =
        maker.make(ended -> other.send(shard, () -> stepEnded(ended, target, maker, then)));
    shard.send(other, step::queue);
  }

  private void stepEnded(
      VerifyStep ended, ShardReplica target, StepMaker maker, Consumer<VerifyStep> then) {
    Exception failure = ended.failure();
    if (failure == null) {
      attempts = 0;
      then.accept(ended);
      return;
    }
    boolean overloaded =
        failure instanceof CqlException known && known.error() instanceof CqlError.Overloaded;
    attempts++;
    if (overloaded && attempts < ATTEMPTS && !verification.isStopped()) {
      shard.schedule(() -> step(target, maker, then), RETRY_NANOS);
    } else {
      whenEnded.accept(failure);
    }
  }

  private void count(VerifyStep step, int baseRows, int viewRowCount) {
    long missing = 0;
    long wrong = 0;
    long superfluous = 0;
    for (VerifyStep.Found found : step.found()) {
      switch (found.kind()) {
        case MISSING -> missing++;
        case WRONG -> wrong++;
        case SUPERFLUOUS -> superfluous++;
      }
      List<String> known = keys(found.kind());
      String key = found.key();
      if (key != null && known.size() < KEYS) {
        known.add(key);
      }
    }
    Counts before = counts;
    counts =
        new Counts(
            before.baseRows() + baseRows,
            before.viewRows() + viewRowCount,
            before.missing() + missing,
            before.wrong() + wrong,
            before.superfluous() + superfluous,
            before.unrepaired() + step.unrepaired());
  }
}
