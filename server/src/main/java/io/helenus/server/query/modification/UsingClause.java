package io.helenus.server.query.modification;

import io.helenus.cql.ast.UpdateParameters;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;

/** Gives the values of a USING clause their slots. Stateless. */
final class UsingClause {
  private UsingClause() {}

  /**
   * The slot of USING TIMESTAMP, or {@link ModificationPlan#NO_SLOT}.
   *
   * @param keyspace of the marker, as PREPARE shows it
   * @param table of the marker, as PREPARE shows it
   */
  static int timestampSlot(
      UpdateParameters parameters,
      String keyspace,
      String table,
      TermCompiler terms,
      ValueSlots.Builder slots) {
    if (parameters.timestamp() == null) {
      return ModificationPlan.NO_SLOT;
    }
    Receiver receiver = new Receiver(keyspace, table, "[timestamp]", ScalarType.BIGINT, null);
    return slots.add(terms.compile(parameters.timestamp(), receiver), ScalarType.BIGINT);
  }

  /** The slot of USING TTL, or {@link ModificationPlan#NO_SLOT}. */
  static int ttlSlot(
      UpdateParameters parameters,
      TableSchema table,
      TermCompiler terms,
      ValueSlots.Builder slots) {
    if (parameters.timeToLive() == null) {
      return ModificationPlan.NO_SLOT;
    }
    Receiver receiver = Receiver.of(table, "[ttl]", ScalarType.INT);
    return slots.add(terms.compile(parameters.timeToLive(), receiver), ScalarType.INT);
  }
}
