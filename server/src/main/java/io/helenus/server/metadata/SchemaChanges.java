package io.helenus.server.metadata;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.MaskCompiler;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.ViewWhere;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Randomness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the schema changes and truncations of this node's clients, proposes them one after the
 * other and answers them: carries out the steps of {@link Proposer}. One per node, on the scheduler
 * of the log.
 */
final class SchemaChanges {
  private static final long UUID_EPOCH_TICKS = 0x01B21DD213814000L;
  private static final Logger LOGGER = LoggerFactory.getLogger(SchemaChanges.class);

  /** A statement to be run. */
  private final class Definition implements ChangeRequest {
    private final SchemaStatement statement;
    private final @Nullable String keyspaceInUse;
    private final Executor answerOn;
    private final Metadata.ChangeCallback callback;

    /** What was planned last; a change without an edit is confirmed. */
    private @Nullable SchemaChange change;

    Definition(
        SchemaStatement statement,
        @Nullable String keyspaceInUse,
        Executor answerOn,
        Metadata.ChangeCallback callback) {
      this.statement = statement;
      this.keyspaceInUse = keyspaceInUse;
      this.answerOn = answerOn;
      this.callback = callback;
    }

    @Override
    public @Nullable MetadataEntry plan(ClusterState state) {
      List<String> warnings = new ArrayList<>();
      SchemaChange made;
      try {
        SchemaContext context = context(keyspaceInUse, state, warnings);
        made = SchemaPlanner.plan(state.schema(), statement, context).warned(warnings);
      } catch (CqlException e) {
        refused(e, warnings);
        return null;
      }
      change = made;
      SchemaEdit edit = made.edit();
      MetadataEntry entry =
          edit == null ? confirmation(state) : new MetadataEntry.SchemaChanged(edit);
      if (entry == null) {
        changed(made);
      }
      return entry;
    }

    private void refused(CqlException violation, List<String> warnings) {
      if (violation.isGuardrail()) {
        warnings.add(violation.error().message());
      }
      if (!warnings.isEmpty()) {
        answerOn.execute(() -> callback.warned(warnings));
      }
      failed(violation.error());
    }

    @Override
    public void made(long index) {
      Exception notFollowed = storageFailure;
      storageFailure = null;
      if (notFollowed != null) {
        failed(
            error(
                "The change is durable, but storage failed to apply it: "
                    + notFollowed.getMessage()));
        return;
      }
      SchemaChange done = Objects.requireNonNull(change, "nothing was planned");
      if (done.edit() == null) {
        changed(done);
        return;
      }
      log.whenFollowed(index, () -> changed(done));
    }

    private void changed(SchemaChange done) {
      answerOn.execute(
          () -> {
            try {
              callback.changed(done);
            } catch (Throwable e) {
              Exception contained = fatal.contain(e);
              LOGGER.error("Unexpected exception answering a schema change", contained);
              callback.refused(new CqlError.ServerError(e.toString()));
            }
          });
    }

    @Override
    public void failed(CqlError error) {
      answerOn.execute(() -> callback.refused(error));
    }

    @Override
    public CqlError error(String why) {
      return new CqlError.ServerError(why);
    }

    /** An entry is a register of Paxos; no driver repeats what timed out as a write of type CAS. */
    @Override
    public CqlError unknown(String why, int voters) {
      return new CqlError.WriteTimeout(
          why, ConsistencyLevel.SERIAL.code(), 0, ConsistencyLevel.quorum(voters), "CAS", 0);
    }
  }

  /** Receives what became of a proposal. */
  private final class Answer implements MetadataLog.ProposalCallback {
    @Override
    public void decided(Decision decision) {
      refusal = decision.refusal();
      proceed(proposer.decided(decision.outcome(), decision.state().index()));
    }

    @Override
    public void notProposed(Exception cause) {
      failure = cause;
      proceed(proposer.notProposed());
    }

    @Override
    public void unknown(Exception cause) {
      failure = cause;
      proceed(proposer.unknown());
    }
  }

  private final MetadataLog log;
  private final UUID hostId;
  private final long life;
  private final Supplier<ClusterState> visible;
  private final Clock clock;
  private final Randomness randomness;
  private final FatalErrors fatal;
  private final @Nullable MaskCompiler masks;
  private final @Nullable ViewWhere views;
  private final Guardrails guardrails;

  private final Proposer proposer;
  private final ArrayDeque<ChangeRequest> requests = new ArrayDeque<>();

  /** What was proposed last. */
  private @Nullable Proposal planned;

  private @Nullable String refusal;
  private @Nullable Exception failure;
  private @Nullable Exception storageFailure;
  private long lastNumber;
  private long lastTicks;

  /**
   * Proposes changes to a log.
   *
   * @param life which of the node's runs this is; see {@link ProposalId}
   * @param visible the state that is visible on this node
   */
  SchemaChanges(
      MetadataLog log,
      UUID hostId,
      long life,
      Supplier<ClusterState> visible,
      Clock clock,
      Randomness randomness,
      FatalErrors fatal,
      @Nullable MaskCompiler masks,
      @Nullable ViewWhere views,
      Guardrails guardrails) {
    this.log = log;
    this.hostId = hostId;
    this.life = life;
    this.visible = visible;
    this.clock = clock;
    this.randomness = randomness;
    this.fatal = fatal;
    this.masks = masks;
    this.views = views;
    this.guardrails = guardrails;
    this.proposer = new Proposer(visible.get().index());
  }

  void add(
      SchemaStatement statement,
      @Nullable String keyspaceInUse,
      Executor answerOn,
      Metadata.ChangeCallback callback) {
    add(new Definition(statement, keyspaceInUse, answerOn, callback));
  }

  void add(ChangeRequest request) {
    if (requests.size() >= Metadata.WAITING_LIMIT) {
      request.failed(new CqlError.Overloaded("Too many schema changes are waiting"));
      return;
    }
    requests.add(request);
    proceed(Proposer.Step.WAIT);
  }

  /**
   * A state is visible, and storage has followed it.
   *
   * @param newStorageFailure what storage could not do; null if it could
   */
  void visible(long index, @Nullable Exception newStorageFailure) {
    if (newStorageFailure != null) {
      storageFailure = newStorageFailure;
    }
    proceed(proposer.visible(index));
  }

  /** Carries out a step, and begins the change at the head unless one is being made. */
  private void proceed(Proposer.Step first) {
    perform(first);
    while (!requests.isEmpty()) {
      Proposer.Step step = proposer.changeWaits();
      if (step == Proposer.Step.WAIT) {
        return;
      }
      perform(step);
    }
  }

  private void perform(Proposer.Step step) {
    switch (step) {
      case WAIT -> {}
      case PLAN -> plan(requests.element());
      case PROPOSE -> log.propose(planned(), new Answer());
      case SETTLE -> log.settle(planned(), new Answer());
      case CONFIRM -> requests.remove().made(visible.get().index());
      case REPORT_REFUSED -> refuse("The change was refused: " + refusal);
      case REPORT_OVERTAKEN ->
          refuse("The change was not made: the schema keeps changing under this statement");
      case REPORT_NOT_PROPOSED -> refuse("The change was not made: " + message());
      case REPORT_UNKNOWN -> {
        ChangeRequest request = requests.remove();
        request.failed(
            request.unknown(
                "The outcome of the change is unknown; it may or may not take effect: " + message(),
                visible.get().voters().size()));
      }
      case REPORT_BLOCKED ->
          refuse("The change was not made: the outcome of an earlier one is unknown: " + message());
    }
  }

  private Proposal planned() {
    return Objects.requireNonNull(planned, "nothing was planned");
  }

  private String message() {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  private void plan(ChangeRequest request) {
    ClusterState state = visible.get();
    MetadataEntry entry = null;
    try {
      entry = request.plan(state);
    } catch (Throwable e) {
      Exception contained = fatal.contain(e);
      LOGGER.error("Unexpected exception planning a schema change", contained);
      request.failed(new CqlError.ServerError(e.toString()));
    }
    if (entry == null) {
      requests.remove();
      proposer.planEnded();
      return;
    }
    planned = new Proposal(new ProposalId(hostId, life, ++lastNumber), state.index() + 1, entry);
    perform(proposer.planned());
  }

  /**
   * An entry without effect. If it is decided for its slot, nothing was changed before it that this
   * node has not heard of, so that there is indeed nothing to do. Null if this node decides alone.
   */
  private @Nullable MetadataEntry confirmation(ClusterState state) {
    ClusterNode self = state.node(hostId);
    NodeAddresses addresses = self == null ? null : self.addresses();
    String release = self == null ? "" : self.release();
    return addresses == null || state.voters().equals(List.of(hostId))
        ? null
        : new MetadataEntry.NodeRegistered(hostId, addresses, release);
  }

  /** As {@link Metadata#preview}. */
  @Nullable SchemaChange preview(
      Schema schema, SchemaStatement statement, @Nullable String keyspaceInUse) {
    SchemaContext context =
        new SchemaContext(
            keyspaceInUse,
            hostId, // stands for the id of a new table
            0,
            clock.wallMicros(),
            visible.get().ring(),
            masks,
            views,
            guardrails,
            warning -> {});
    try {
      return SchemaPlanner.plan(schema, statement, context);
    } catch (CqlException e) {
      return null;
    }
  }

  private SchemaContext context(
      @Nullable String keyspaceInUse, ClusterState state, List<String> warnings) {
    return new SchemaContext(
        keyspaceInUse,
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

  private void refuse(String message) {
    ChangeRequest request = requests.remove();
    request.failed(request.error(message));
  }
}
