package io.helenus.server.viewbuild;

import io.helenus.server.replica.LocalReplica;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.schema.Schema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares a materialized view with its base table while both are written to, and repairs it if
 * wanted. Every shard goes through its part of the base table, then through its part of the view,
 * one partition at a time ({@link VerifyStep}). Methods may be called from any thread; used once.
 */
public final class ViewVerification {
  private final List<ShardVerification> parts = new ArrayList<>();
  private final List<Shard> shards;
  private final AtomicInteger left;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /** The kinds of differences. */
  public enum Difference {
    /** A row of the base table should be shown by the view and is not. */
    MISSING,
    /** A row of the view has not the values, timestamps or expiry of the base table's row. */
    WRONG,
    /** A row of the view shows no row of the base table. */
    SUPERFLUOUS
  }

  /**
   * Differences of one kind.
   *
   * @param keys the first few of them: keys of the view's rows in CQL
   */
  public record Differences(long count, List<String> keys) {
    /** Copies. */
    public Differences {
      keys = List.copyOf(keys);
    }
  }

  /**
   * How many rows have been compared and how they differ.
   *
   * @param baseRows rows of the base table
   * @param viewRows rows of the view
   * @param unrepaired how many of the differences a repair could not repair
   */
  public record Counts(
      long baseRows, long viewRows, long missing, long wrong, long superfluous, long unrepaired) {
    /** The number of differences. */
    public long differences() {
      return missing + wrong + superfluous;
    }
  }

  /** The outcome of a verification. */
  public record Report(
      Counts counts, Differences missing, Differences wrong, Differences superfluous) {}

  /**
   * What is verified, and with what.
   *
   * @param schema the present schema; any thread
   * @param repairs whether the view is changed so that it is equal to its base table
   */
  public record Scope(
      LocalReplica replica,
      Supplier<Schema> schema,
      Clock clock,
      int baseId,
      int viewId,
      boolean repairs) {}

  /** Prepares a verification. */
  public ViewVerification(Scope scope) {
    shards = scope.replica.parts().stream().map(ShardReplica::shard).toList();
    left = new AtomicInteger(shards.size());
    for (ShardReplica part : scope.replica.parts()) {
      parts.add(new ShardVerification(this, scope, part));
    }
  }

  /**
   * Begins.
   *
   * @param whenEnded called on the thread of a shard that all rows have been compared, or why not
   */
  public void start(Consumer<? super @Nullable Exception> whenEnded) {
    for (int i = 0; i < parts.size(); i++) {
      ShardVerification part = parts.get(i);
      shards
          .get(i)
          .execute(
              () ->
                  part.start(
                      cause -> {
                        if (cause != null) {
                          failure.compareAndSet(null, cause);
                          stop();
                        }
                        if (left.decrementAndGet() == 0) {
                          whenEnded.accept(failure.get());
                        }
                      }));
    }
  }

  /** Lets no further step begin; the end is reported as ever. */
  public void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** What has been found so far. */
  public Counts counts() {
    Counts sum = new Counts(0, 0, 0, 0, 0, 0);
    for (ShardVerification part : parts) {
      Counts each = part.counts();
      sum =
          new Counts(
              sum.baseRows + each.baseRows,
              sum.viewRows + each.viewRows,
              sum.missing + each.missing,
              sum.wrong + each.wrong,
              sum.superfluous + each.superfluous,
              sum.unrepaired + each.unrepaired);
    }
    return sum;
  }

  /** The outcome. After the end. */
  public Report report() {
    Counts counts = counts();
    return new Report(
        counts,
        differences(Difference.MISSING, counts.missing),
        differences(Difference.WRONG, counts.wrong),
        differences(Difference.SUPERFLUOUS, counts.superfluous));
  }

  private Differences differences(Difference kind, long count) {
    List<String> keys = new ArrayList<>();
    for (ShardVerification part : parts) {
      keys.addAll(part.keys(kind));
    }
    return new Differences(count, keys.subList(0, Math.min(keys.size(), ShardVerification.KEYS)));
  }
}
