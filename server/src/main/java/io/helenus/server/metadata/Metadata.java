package io.helenus.server.metadata;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.error.CqlError;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.schema.MaskCompiler;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.ViewWhere;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Randomness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster metadata as seen by this node, and the means to change it. One per node.
 *
 * <p>Schema changes are made one at a time, on the scheduler passed in, in these steps:
 *
 * <ol>
 *   <li>The statement is validated against the visible state and translated to a schema edit.
 *   <li>The edit is proposed to the log as the next entry. If another entry was decided first,
 *       repeat from step 1; if the outcome is unknown, it is settled before anything else is
 *       proposed ({@link Proposer}). If there is nothing to change, an entry without effect is
 *       proposed, unless this node decides alone: others may have made changes that this one has
 *       not heard of.
 *   <li>New tables are created in storage before {@link #state} returns them. Dropped tables
 *       disappear from {@link #state} before they are removed from storage. Tables are truncated in
 *       storage before {@link #state} says that they are, so that whatever is planned with a state
 *       meets tables that are truncated as it says.
 *   <li>Listeners are notified, then the callback is run on its executor.
 * </ol>
 *
 * <p>A truncation that is in the log, but was not carried out before a crash, is carried out before
 * anything else ({@link #whenCaughtUp}).
 *
 * <p>{@link #state}, {@link #change} and {@link #truncate} may be called from any thread.
 */
public final class Metadata {
  /** The maximum number of waiting changes; further ones are rejected as OVERLOADED. */
  public static final int WAITING_LIMIT = 1024;

  private static final Logger LOGGER = LoggerFactory.getLogger(Metadata.class);

  /** Receives changes of the stored tables: the storage of this node. */
  public interface StoredTables {
    /** Applies a new set of tables; calls back with null or the failure, on any thread. */
    void changed(Tables tables, Consumer<? super Exception> whenDone);

    /**
     * Truncates tables, so that mutations that were planned before an entry have no effect on them
     * any more. Tries again until it can; calls back on any thread.
     *
     * @param index that of the entry
     */
    void truncate(List<Integer> tableIds, long index, Runnable whenDone);

    /** The index of the entry that last truncated a table here, durably; 0 for none. */
    long truncatedBy(int tableId);
  }

  /** Notified on the scheduler when a new state becomes visible. */
  public interface Listener {
    /**
     * The state has changed.
     *
     * @param changes the schema changes; empty if the schema is unchanged
     */
    void changed(ClusterState before, ClusterState after, List<SchemaChange> changes);
  }

  /** Receives the outcome of a schema statement, once. */
  public interface ChangeCallback {
    /** Receives the warnings of a statement that is then refused. */
    default void warned(List<String> warnings) {}

    /** The change is durable and visible; a change without an edit had no effect. */
    void changed(SchemaChange change);

    /** The statement was rejected or failed. */
    void refused(CqlError error);
  }

  /** Receives what becomes of a truncation on all members. */
  public interface TruncationCallback {
    /** A member has carried it out, durably. */
    void truncated(UUID member);

    /** It was refused, or has failed; members may have carried it out nevertheless, or still do. */
    void failed(CqlError error);

    /** Whether nobody waits for it any more. Any thread. */
    boolean isOver();
  }

  /** A state to be made visible; without a proposal, if entries before it were missed. */
  private record Step(@Nullable Proposal proposal, ClusterState after) {}

  private final class LogFollower implements MetadataLog.Follower {
    private long last;

    LogFollower(long last) {
      this.last = last;
    }

    @Override
    public void applied(long index, Proposal proposal, ClusterState state) {
      if (index != last + 1) {
        throw new MetadataException("entry " + index + " of the metadata log after " + last);
      }
      last = index;
      steps.add(new Step(proposal, state));
      nextStep();
    }

    @Override
    public void replaced(ClusterState state) {
      last = state.index();
      steps.add(new Step(null, state));
      nextStep();
    }

    @Override
    public void refused(MetadataException cause) {
      fatal.halt(cause);
    }
  }

  private final MetadataLog log;
  private final UUID hostId;
  private final StoredTables stored;
  private final Executor scheduler;
  private final FatalErrors fatal;
  private final SchemaChanges changes;

  private volatile ClusterState published;

  /** This and all fields below: scheduler only. */
  private final ArrayDeque<Step> steps = new ArrayDeque<>();

  private final List<Listener> listeners = new ArrayList<>();
  private final List<Runnable> whenCaughtUp = new ArrayList<>();
  private boolean caughtUp;
  private boolean publishing = true;

  /**
   * Follows an open log; storage must have been opened with the tables of its state.
   *
   * @param hostId the host id of this node
   * @param life which of the node's runs this is: greater than that of any run before
   * @param scheduler that of the log
   * @param masks resolves the masks of columns; null if dynamic data masking is disabled
   * @param views compiles the WHERE clauses of materialized views; null if they are disabled
   * @param guardrails the guardrails that statements must respect
   */
  public Metadata(
      MetadataLog log,
      UUID hostId,
      long life,
      StoredTables stored,
      Clock clock,
      Randomness randomness,
      Executor scheduler,
      FatalErrors fatal,
      @Nullable MaskCompiler masks,
      @Nullable ViewWhere views,
      Guardrails guardrails) {
    this.log = log;
    this.hostId = hostId;
    this.stored = stored;
    this.scheduler = scheduler;
    this.fatal = fatal;
    this.published = log.state();
    this.changes =
        new SchemaChanges(
            log, hostId, life, this::state, clock, randomness, fatal, masks, views, guardrails);
    log.readFrom(published.index(), new LogFollower(published.index()));
    scheduler.execute(() -> truncate(notCarriedOut(published.truncations()), this::caughtUp));
  }

  /** Those of these truncations that storage has not carried out before it was closed. */
  private Map<Integer, Long> notCarriedOut(Map<Integer, Long> truncations) {
    Map<Integer, Long> left = new TreeMap<>(truncations);
    left.entrySet().removeIf(each -> stored.truncatedBy(each.getKey()) >= each.getValue());
    return left;
  }

  private void caughtUp() {
    publishing = false;
    caughtUp = true;
    log.followed(published.index());
    whenCaughtUp.forEach(Runnable::run);
    whenCaughtUp.clear();
    nextStep();
  }

  /**
   * Runs a task on the scheduler when storage has carried out all that {@link #state} says: before
   * that nothing may be read or written.
   */
  public void whenCaughtUp(Runnable task) {
    scheduler.execute(
        () -> {
          if (caughtUp) {
            task.run();
          } else {
            whenCaughtUp.add(task);
          }
        });
  }

  /** The state that is visible on this node. */
  public ClusterState state() {
    return published;
  }

  /** The id of this node. */
  public UUID hostId() {
    return hostId;
  }

  /** This node. */
  public ClusterNode localNode() {
    ClusterNode node = published.node(hostId);
    if (node == null) {
      throw new IllegalStateException("this node is not a member: " + hostId);
    }
    return node;
  }

  /** Notifies a listener of every state from now on. */
  public void listen(Listener listener) {
    scheduler.execute(() -> listeners.add(listener));
  }

  /**
   * Changes the schema.
   *
   * @param keyspaceInUse the current keyspace of the request or session
   * @param answerOn where the callback is run
   */
  public void change(
      SchemaStatement statement,
      @Nullable String keyspaceInUse,
      Executor answerOn,
      ChangeCallback callback) {
    scheduler.execute(() -> changes.add(statement, keyspaceInUse, answerOn, callback));
  }

  /**
   * Truncates a table, and its views, on all members, of which each should be alive.
   *
   * @param tableId its storage id
   * @param answerOn where the callback is run
   */
  public void truncate(int tableId, Executor answerOn, TruncationCallback callback) {
    TruncationRequest request = new TruncationRequest(log, hostId, tableId, answerOn, callback);
    scheduler.execute(() -> changes.add(request));
  }

  /**
   * What a statement that creates nothing would change in this schema; null if it is refused. Any
   * thread.
   */
  public @Nullable SchemaChange preview(
      Schema schema, SchemaStatement statement, @Nullable String keyspaceInUse) {
    return changes.preview(schema, statement, keyspaceInUse);
  }

  /** Makes the next state of the log visible and updates storage before or after. */
  private void nextStep() {
    Step step = publishing ? null : steps.poll();
    if (step == null) {
      return;
    }
    ClusterState before = published;
    List<SchemaChange> events = events(step, before);
    publishing = true;
    if (events.isEmpty()) {
      truncate(
          truncations(before, step.after()),
          () -> {
            publish(before, step.after(), events);
            stepDone(null);
          });
      return;
    }
    boolean drops =
        step.proposal() != null && events.getFirst().action() == SchemaChange.Action.DROPPED;
    if (drops) {
      publish(before, step.after(), events);
    }
    stored.changed(
        step.after().tables(),
        failure ->
            scheduler.execute(
                () ->
                    truncate(
                        truncations(before, step.after()),
                        () -> {
                          if (!drops) {
                            publish(before, step.after(), events);
                          }
                          stepDone(failure);
                        })));
  }

  /** What was truncated between two states: the entries by the ids of the tables. */
  private static Map<Integer, Long> truncations(ClusterState before, ClusterState after) {
    if (before.truncations().equals(after.truncations())) {
      return Map.of();
    }
    Map<Integer, Long> since = new TreeMap<>(after.truncations());
    since.entrySet().removeAll(before.truncations().entrySet());
    return since;
  }

  /** Truncates tables in storage, in the order of the entries, before it goes on. */
  private void truncate(Map<Integer, Long> truncations, Runnable then) {
    if (truncations.isEmpty()) {
      then.run();
      return;
    }
    long first = Collections.min(truncations.values());
    List<Integer> together = new ArrayList<>();
    Map<Integer, Long> others = new TreeMap<>(truncations);
    truncations.forEach(
        (tableId, index) -> {
          if (index == first && others.remove(tableId) != null) {
            together.add(tableId);
          }
        });
    stored.truncate(together, first, () -> scheduler.execute(() -> truncate(others, then)));
  }

  private static List<SchemaChange> events(Step step, ClusterState before) {
    if (before.schema().epoch() == step.after().schema().epoch()) {
      return List.of();
    }
    Proposal proposal = step.proposal();
    if (proposal == null) {
      return SchemaDifference.events(before.schema(), step.after().schema());
    }
    return proposal.entry() instanceof MetadataEntry.SchemaChanged(SchemaEdit edit)
        ? SchemaChange.eventsOf(edit, before.schema())
        : List.of();
  }

  private void publish(ClusterState before, ClusterState after, List<SchemaChange> events) {
    published = after;
    for (Listener listener : listeners) {
      listener.changed(before, after, events);
    }
  }

  private void stepDone(@Nullable Exception failure) {
    publishing = false;
    if (failure != null) {
      LOGGER.error("storage failed to apply a schema change", failure);
    }
    log.followed(published.index());
    changes.visible(published.index(), failure);
    nextStep();
  }
}
