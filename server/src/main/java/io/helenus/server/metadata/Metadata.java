package io.helenus.server.metadata;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.MetadataLog.Outcome;
import io.helenus.server.metadata.MetadataLog.Proposal;
import io.helenus.server.schema.MaskCompiler;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.ViewWhere;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Randomness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
 *   <li>The statement is validated against the current state and translated to a schema edit.
 *   <li>The edit is proposed to the log, which makes it durable. If another change was committed
 *       first, repeat from step 1.
 *   <li>New tables are created in storage before {@link #state} returns them. Dropped tables
 *       disappear from {@link #state} before they are removed from storage.
 *   <li>Listeners are notified, then the callback is run on its executor.
 * </ol>
 *
 * <p>{@link #state} and {@link #change} may be called from any thread.
 */
public final class Metadata {
  /** The maximum number of waiting changes; further ones are rejected as OVERLOADED. */
  public static final int WAITING_LIMIT = 1024;

  private static final int ATTEMPTS_LIMIT = 100;
  private static final long UUID_EPOCH_TICKS = 0x01B21DD213814000L;
  private static final Logger LOGGER = LoggerFactory.getLogger(Metadata.class);

  /** Receives changes of the stored tables: the storage of this node. */
  public interface StoredTables {
    /** Applies a new set of tables; calls back with null or the failure, on any thread. */
    void changed(Tables tables, Consumer<? super Exception> whenDone);
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

  private record Request(
      SchemaStatement statement,
      @Nullable String keyspaceInUse,
      Executor answerOn,
      ChangeCallback callback) {
    void changed(SchemaChange change, FatalErrors fatal) {
      answerOn.execute(
          () -> {
            try {
              callback.changed(change);
            } catch (Throwable e) {
              Exception contained = fatal.contain(e);
              LOGGER.error("Unexpected exception answering a schema change", contained);
              callback.refused(new CqlError.ServerError(e.toString()));
            }
          });
    }

    void refused(CqlError error) {
      answerOn.execute(() -> callback.refused(error));
    }

    void refused(CqlException violation, List<String> warnings) {
      if (violation.isGuardrail()) {
        warnings.add(violation.error().message());
      }
      if (!warnings.isEmpty()) {
        answerOn.execute(() -> callback.warned(warnings));
      }
      refused(violation.error());
    }
  }

  private record Step(Proposal proposal, ClusterState after) {}

  /**
   * A request that waits for the state of an index to become visible, to be answered or planned
   * again.
   */
  private record Awaiting(
      Request request, @Nullable SchemaChange change, int attempt, long index) {}

  private final MetadataLog log;
  private final UUID hostId;
  private final StoredTables stored;
  private final Clock clock;
  private final Randomness randomness;
  private final Executor scheduler;
  private final FatalErrors fatal;
  private final @Nullable MaskCompiler masks;
  private final @Nullable ViewWhere views;
  private final Guardrails guardrails;

  private volatile ClusterState published;

  /** This and all fields below: scheduler only. */
  private final ArrayDeque<Request> requests = new ArrayDeque<>();

  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private final List<Listener> listeners = new ArrayList<>();
  private @Nullable Awaiting awaiting;
  private boolean changing;
  private boolean publishing;
  private @Nullable Exception storageFailure;
  private long lastTicks;

  /**
   * Follows an open log; storage must have been opened with the tables of its state.
   *
   * @param hostId the host id of this node
   * @param masks resolves the masks of columns; null if dynamic data masking is disabled
   * @param views compiles the WHERE clauses of materialized views; null if they are disabled
   * @param guardrails the guardrails that statements must respect
   */
  public Metadata(
      MetadataLog log,
      UUID hostId,
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
    this.clock = clock;
    this.randomness = randomness;
    this.scheduler = scheduler;
    this.fatal = fatal;
    this.masks = masks;
    this.views = views;
    this.guardrails = guardrails;
    this.published = log.state();
    log.readFrom(published.index(), (index, proposal, state) -> applied(new Step(proposal, state)));
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
    Request request = new Request(statement, keyspaceInUse, answerOn, callback);
    scheduler.execute(
        () -> {
          if (requests.size() >= WAITING_LIMIT) {
            request.refused(new CqlError.Overloaded("Too many schema changes are waiting"));
            return;
          }
          requests.add(request);
          nextRequest();
        });
  }

  private void nextRequest() {
    while (!changing) {
      Request request = requests.poll();
      if (request == null) {
        return;
      }
      changing = true;
      plan(request, 1);
    }
  }

  private void plan(Request request, int attempt) {
    ClusterState state = published;
    List<String> warnings = new ArrayList<>();
    SchemaChange change;
    try {
      SchemaContext context = context(request, state, warnings);
      change = SchemaPlanner.plan(state.schema(), request.statement(), context).warned(warnings);
    } catch (CqlException e) {
      changing = false;
      request.refused(e, warnings);
      return;
    } catch (Throwable e) {
      Exception contained = fatal.contain(e);
      LOGGER.error("Unexpected exception planning a schema change", contained);
      changing = false;
      request.refused(new CqlError.ServerError(e.toString()));
      return;
    }
    SchemaEdit edit = change.edit();
    if (edit == null) {
      changing = false;
      request.changed(change, fatal);
      return;
    }
    Proposal proposal =
        new Proposal(
            hostId,
            log.state().lastNumber(hostId) + 1,
            state.schema().epoch(),
            new MetadataEntry.SchemaChanged(edit));
    log.propose(
        proposal,
        new MetadataLog.ProposalCallback() {
          @Override
          public void decided(Outcome outcome, ClusterState after) {
            Metadata.this.decided(request, change, attempt, outcome, after);
          }

          @Override
          public void failed(Exception cause) {
            fail(request, cause);
          }
        });
  }

  private SchemaContext context(Request request, ClusterState state, List<String> warnings) {
    return new SchemaContext(
        request.keyspaceInUse(),
        newTableId(),
        state.lastTableId() + 1,
        clock.wallMicros(),
        state.ring(),
        masks,
        views,
        guardrails,
        warnings::add);
  }

  /** Creates a version 1 UUID from the current time; each is later than the previous one. */
  private UUID newTableId() {
    lastTicks = Math.max(lastTicks + 1, clock.wallMicros() * 10 + UUID_EPOCH_TICKS);
    long high =
        (lastTicks << 32) | ((lastTicks >>> 16) & 0xFFFF_0000L) | 0x1000 | (lastTicks >>> 48);
    long low = (randomness.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0100_0000_0000L;
    return new UUID(high, low);
  }

  private void decided(
      Request request, SchemaChange change, int attempt, Outcome outcome, ClusterState after) {
    boolean done =
        switch (outcome) {
          case APPLIED, REPEATED -> true;
          case STALE -> false;
        };
    if (!done && attempt >= ATTEMPTS_LIMIT) {
      fail(request, new MetadataException("the schema keeps changing under this statement"));
      return;
    }
    awaiting = new Awaiting(request, done ? change : null, attempt, after.index());
    answerIfVisible();
  }

  private void fail(Request request, Exception cause) {
    changing = false;
    request.refused(
        new CqlError.ServerError("The change could not be made durable: " + cause.getMessage()));
    nextRequest();
  }

  private void applied(Step step) {
    steps.add(step);
    nextStep();
  }

  /** Makes the next state of the log visible and updates storage before or after. */
  private void nextStep() {
    Step step = publishing ? null : steps.poll();
    if (step == null) {
      return;
    }
    ClusterState before = published;
    SchemaEdit edit =
        step.proposal().entry() instanceof MetadataEntry.SchemaChanged(SchemaEdit changed)
                && before.schema().epoch() != step.after().schema().epoch()
            ? changed
            : null;
    if (edit == null) {
      publish(before, step.after(), List.of());
      stepDone(null);
      return;
    }
    publishing = true;
    List<SchemaChange> changes = SchemaChange.eventsOf(edit, before.schema());
    boolean drops = changes.getFirst().action() == SchemaChange.Action.DROPPED;
    if (drops) {
      publish(before, step.after(), changes);
    }
    stored.changed(
        step.after().tables(),
        failure ->
            scheduler.execute(
                () -> {
                  if (!drops) {
                    publish(before, step.after(), changes);
                  }
                  stepDone(failure);
                }));
  }

  private void publish(ClusterState before, ClusterState after, List<SchemaChange> changes) {
    published = after;
    for (Listener listener : listeners) {
      listener.changed(before, after, changes);
    }
  }

  private void stepDone(@Nullable Exception failure) {
    publishing = false;
    if (failure != null) {
      LOGGER.error("storage failed to apply a schema change", failure);
      storageFailure = failure;
    }
    answerIfVisible();
    nextStep();
  }

  private void answerIfVisible() {
    Awaiting waiter = awaiting;
    if (waiter == null || publishing || published.index() < waiter.index()) {
      return;
    }
    awaiting = null;
    SchemaChange change = waiter.change();
    if (change == null) {
      plan(waiter.request(), waiter.attempt() + 1);
      nextRequest();
      return;
    }
    changing = false;
    Exception failure = storageFailure;
    storageFailure = null;
    if (failure == null) {
      waiter.request().changed(change, fatal);
    } else {
      waiter
          .request()
          .refused(
              new CqlError.ServerError(
                  "The change is durable, but storage failed to apply it: "
                      + failure.getMessage()));
    }
    nextRequest();
  }
}
