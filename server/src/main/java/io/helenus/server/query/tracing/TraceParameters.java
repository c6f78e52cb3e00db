package io.helenus.server.query.tracing;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.HexFormat;
import java.util.TreeMap;

/**
 * The description of a traced request: {@code request} and {@code parameters} of {@code
 * system_traces.sessions}, in Cassandra's wording. Bound values are shown as literals, truncated to
 * 1,000 characters.
 *
 * @param values the parameters by name, sorted as in Cassandra
 */
public record TraceParameters(String request, TreeMap<String, String> values) {
  private static final int LITERAL_LIMIT = 1000;

  /** Describes a QUERY. */
  public static TraceParameters ofQuery(String text, QueryParameters parameters) {
    return new TraceParameters("Execute CQL3 query", new TreeMap<>())
        .text(text)
        .options(parameters);
  }

  /** Describes a PREPARE. */
  public static TraceParameters ofPrepare(String text) {
    return new TraceParameters("Preparing CQL3 query", new TreeMap<>()).text(text);
  }

  /** Describes an EXECUTE; the values are in the order of the plan's markers. */
  public static TraceParameters ofExecute(
      String text, StatementPlan plan, BoundValues bound, QueryParameters parameters) {
    TraceParameters trace = new TraceParameters("Execute CQL3 prepared query", new TreeMap<>());
    int count = Math.min(bound.count(), plan.markers().size());
    for (int i = 0; i < count; i++) {
      ResultColumns.Column marker = plan.markers().columns().get(i);
      trace.values.put("bound_var_" + i + "_" + marker.name(), literal(marker.type(), bound, i));
    }
    return trace.text(text).options(parameters);
  }

  /** Describes a BATCH message. */
  public static TraceParameters ofBatch(QueryParameters parameters) {
    TraceParameters trace = new TraceParameters("Execute batch of CQL3 queries", new TreeMap<>());
    return trace.consistency(parameters);
  }

  private TraceParameters text(String text) {
    values.put("query", Tracing.truncate(text));
    return this;
  }

  private TraceParameters options(QueryParameters parameters) {
    if (parameters.pageSize() > 0) {
      values.put("page_size", Integer.toString(parameters.pageSize()));
    }
    return consistency(parameters);
  }

  private TraceParameters consistency(QueryParameters parameters) {
    values.put("consistency_level", parameters.consistency().name());
    values.put("serial_consistency_level", parameters.serialConsistency().name());
    return this;
  }

  private static String literal(CqlType type, BoundValues bound, int index) {
    int length = bound.length(index);
    if (length == BoundValues.UNSET) {
      return "<unset>";
    }
    if (length < 0) {
      return "null";
    }
    String literal = literal(type, Bytes.toArray(bound.segment(), bound.offset(index), length));
    return literal.length() <= LITERAL_LIMIT
        ? literal
        : literal.substring(0, LITERAL_LIMIT) + "...'";
  }

  /**
   * Formats a value as a literal. Values have not been validated yet; an invalid one is shown as
   * bytes.
   */
  private static String literal(CqlType type, byte[] value) {
    ByteWriter copy = new ByteWriter(Math.max(1, value.length)).putBytes(value);
    try {
      type.validate(copy.segment(), 0, value.length);
    } catch (CqlException e) {
      return "0x" + HexFormat.of().formatHex(value);
    }
    return type.toLiteral(value);
  }
}
