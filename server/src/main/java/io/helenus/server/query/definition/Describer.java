package io.helenus.server.query.definition;

import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;

/** Runs DESCRIBE on the schema. Stateless; any thread. */
final class Describer {
  private Describer() {}

  static void answer(
      DescribePlan plan,
      Metadata metadata,
      SchemaDescriber.Ownership ownership,
      Exchange exchange) {
    ClusterState state = metadata.state();
    SchemaDescriber.Context context =
        new SchemaDescriber.Context(
            plan.keyspaceInUse(),
            state.clusterName(),
            "Murmur3Partitioner",
            "DynamicEndpointSnitch",
            ownership);
    SchemaDescriber.Description description =
        SchemaDescriber.describe(state.schema(), plan.statement(), context);
    ByteWriter body = exchange.body();
    ResultColumns columns =
        new ResultColumns(
            description.columns().stream()
                .map(
                    each ->
                        new ResultColumns.Column("system", "describe", each.name(), each.type()))
                .toList());
    Responses.rowsHeader(body, exchange.protocolVersion(), columns);
    body.putInt(description.rows().size());
    for (List<byte[]> row : description.rows()) {
      for (byte[] value : row) {
        body.putInt(value.length).putBytes(value);
      }
    }
    exchange.respond(Opcodes.RESULT, body);
  }
}
