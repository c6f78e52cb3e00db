package io.helenus.cql.ast;

import java.util.List;

/**
 * EXPLAIN, which Cassandra lacks.
 *
 * @param explained SELECT, INSERT, UPDATE, DELETE or BATCH
 * @param analyze whether ANALYZE was written
 * @param json whether JSON was written
 */
public record ExplainStatement(Statement explained, boolean analyze, boolean json)
    implements Statement {
  @Override
  public String feature() {
    return "EXPLAIN";
  }

  @Override
  public List<BindMarker> bindMarkers() {
    return explained.bindMarkers();
  }
}
