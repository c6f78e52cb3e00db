package io.helenus.server.schema;

import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.ring.TokenRing;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The inputs for the validation of a schema statement other than the schema itself.
 *
 * @param keyspaceInUse the current keyspace of the request or session; null for none
 * @param newTableId the id for a new table, a version 1 UUID
 * @param newStorageId the storage id for a new table
 * @param nowMicros the timestamp of column drops without one, in microseconds since 1970
 * @param ring the nodes of the cluster
 * @param masks resolves the masks of columns; null if dynamic data masking is disabled
 * @param views compiles the WHERE clauses of materialized views; null if they are disabled
 * @param guardrails the guardrails that the statement must respect
 * @param warnings receives their warnings, also if the statement is rejected in the end
 */
public record SchemaContext(
    @Nullable String keyspaceInUse,
    UUID newTableId,
    int newStorageId,
    long nowMicros,
    TokenRing ring,
    @Nullable MaskCompiler masks,
    @Nullable ViewWhere views,
    Guardrails guardrails,
    Consumer<String> warnings) {

  /** Checks a value against a guardrail. */
  void check(Limit limit, long value, String what) {
    guardrails.check(limit, value, what, warnings);
  }

  /** Checks the use of a feature against its guardrail. */
  void require(Feature feature) {
    guardrails.require(feature, warnings);
  }
}
