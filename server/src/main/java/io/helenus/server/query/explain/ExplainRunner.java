package io.helenus.server.query.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.TokenBounds;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.statement.ReadMeasurement;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs EXPLAIN. One per shard; shard thread only. */
public final class ExplainRunner {
  private final ExplainFacts facts;
  private final Selects selects;
  private final ExpressionEvaluator evaluator;

  /** Runs a SELECT that is to be measured. */
  public interface Selects {
    /** Runs it. */
    void run(SelectPlan plan, BoundValues values, RunContext context);
  }

  /** Creates the runner of a shard. */
  public ExplainRunner(ExplainFacts facts, Selects selects, FunctionContext functions) {
    this.facts = facts;
    this.selects = selects;
    evaluator = new ExpressionEvaluator(functions);
  }

  /**
   * Runs EXPLAIN.
   *
   * @throws CqlException if a value is refused, as by the explained statement
   */
  public void run(ExplainPlan plan, BoundValues values, RunContext context) {
    Surroundings around = facts.of(context.parameters());
    StatementPlan explained = plan.plan();
    if (explained instanceof SelectPlan select
        && plan.statement().explained() instanceof SelectStatement statement) {
      SelectExplainer explainer = explainer(select, statement, values, around);
      if (plan.statement().analyze()) {
        ReadMeasurement[] measured = new ReadMeasurement[1];
        measured[0] =
            new ReadMeasurement(exchange -> answer(plan, explainer.explain(measured[0]), exchange));
        context.measure(measured[0]);
        selects.run(select, values, context);
        return;
      }
      end(plan, explainer.explain(null), context);
    } else if (explained == null) {
      end(plan, RefusalExplainer.explain(plan), context);
    } else {
      end(plan, write(plan, explained, values, around), context);
    }
  }

  private SelectExplainer explainer(
      SelectPlan plan, SelectStatement statement, BoundValues values, Surroundings around) {
    if (!isBound(plan, values)) {
      Selected selected = Selected.unknown(plan.where().token() != null);
      return new SelectExplainer(plan, statement, selected, around);
    }
    BoundSlots bound = new BoundSlots(evaluator);
    bound.bind(plan.slots(), values);
    WherePlan where = plan.where();
    boolean scans = where.isKeyRange();
    Selected selected =
        new Selected(
            scans
                ? null
                : PartitionList.of(where.partitionKey(), plan.keys(), where.token(), bound),
            scans ? share(TokenBounds.of(where.token(), bound)) : 1,
            plan.limits().rows(bound),
            plan.limits().perPartition(bound));
    return new SelectExplainer(plan, statement, selected, around);
  }

  private static double share(TokenBounds tokens) {
    double all = (double) Long.MAX_VALUE - Long.MIN_VALUE;
    return Math.max(0, ((double) tokens.last() - tokens.first()) / all);
  }

  private static boolean isBound(StatementPlan plan, BoundValues values) {
    return values.count() == plan.markers().size();
  }

  private ExplainNode write(
      ExplainPlan explain, StatementPlan plan, BoundValues values, Surroundings around) {
    WriteExplainer explainer = new WriteExplainer(around, explain.schema());
    boolean bound = isBound(plan, values);
    Statement statement = explain.statement().explained();
    if (plan instanceof BatchPlan batch && statement instanceof BatchStatement written) {
      List<@Nullable List<PartitionList.Partition>> partitions = new ArrayList<>();
      for (ModificationPlan each : batch.statements()) {
        partitions.add(bound ? partitions(each, values) : null);
      }
      return explainer.batch(batch, written, partitions);
    }
    if (plan instanceof ModificationPlan modification
        && statement instanceof ModificationStatement written) {
      return explainer.write(
          modification, written, bound ? partitions(modification, values) : null);
    }
    throw new IllegalStateException("cannot explain " + statement.feature());
  }

  private List<PartitionList.Partition> partitions(ModificationPlan plan, BoundValues values) {
    BoundSlots bound = new BoundSlots(evaluator);
    bound.bind(plan.slots(), values);
    return PartitionList.of(plan.partitionKey(), plan.keys(), bound);
  }

  // ---- the answer

  private static void end(ExplainPlan plan, ExplainNode root, RunContext context) {
    if (context.trace() != null) {
      context.trace().end();
    }
    answer(plan, root, context.exchange());
  }

  private static void answer(ExplainPlan plan, ExplainNode root, Exchange exchange) {
    List<List<String>> rows =
        plan.statement().json()
            ? List.of(List.of(TreeText.json(root)))
            : TreeText.rows(root, plan.statement().analyze());
    ByteWriter body = exchange.body();
    Responses.rowsHeader(body, exchange.protocolVersion(), plan.resultColumns());
    body.putInt(rows.size());
    for (List<String> row : rows) {
      for (String value : row) {
        byte[] bytes = value.getBytes(UTF_8);
        body.putInt(bytes.length).putBytes(bytes);
      }
    }
    exchange.respond(Opcodes.RESULT, body);
  }
}
