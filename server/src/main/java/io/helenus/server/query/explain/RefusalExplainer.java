package io.helenus.server.query.explain;

import java.util.Locale;
import java.util.Objects;

/** Explains a statement that is refused. Stateless; any thread. */
final class RefusalExplainer {
  private RefusalExplainer() {}

  static ExplainNode explain(ExplainPlan plan) {
    RefusedQuery refused = Objects.requireNonNull(plan.refused());
    ExplainNode root =
        ExplainNode.of(
            plan.statement().explained().feature().toLowerCase(Locale.ROOT),
            refused.table().cqlName());
    root.add("refused", Objects.requireNonNull(plan.refusal()).error().message());
    root.add("obstacle", refused.obstacle());
    for (RefusedQuery.Proposal each : refused.proposals()) {
      root.add(ExplainNode.of("served by", each.cql()).add("cost", each.cost()));
    }
    return root;
  }
}
