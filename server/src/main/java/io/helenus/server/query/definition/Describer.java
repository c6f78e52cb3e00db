package io.helenus.server.query.definition;

import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.ring.TokenRange;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.storage.bytes.ByteWriter;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs DESCRIBE on the schema. Stateless; any thread. */
final class Describer {
  private Describer() {}

  static void answer(
      DescribePlan plan, Metadata metadata, InetSocketAddress nodeAddress, Exchange exchange) {
    ClusterState state = metadata.state();
    SchemaDescriber.Context context =
        new SchemaDescriber.Context(
            plan.keyspaceInUse(),
            state.clusterName(),
            "Murmur3Partitioner",
            "DynamicEndpointSnitch",
            keyspace -> ownership(state, keyspace, nodeAddress));
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

  /** The owners of every range: the single node. */
  private static SortedMap<String, List<String>> ownership(
      ClusterState state, KeyspaceSchema keyspace, InetSocketAddress nodeAddress) {
    SortedMap<String, List<String>> owners = new TreeMap<>();
    if (!keyspace.isVirtual()) {
      String owner = text(nodeAddress);
      for (TokenRange range : state.ring().ranges()) {
        owners.put(Long.toString(range.right()), List.of(owner));
      }
    }
    return owners;
  }

  /** An address as Cassandra shows it, without a host name. */
  private static String text(InetSocketAddress endpoint) {
    String address = endpoint.getAddress().getHostAddress();
    boolean bracketed = endpoint.getAddress() instanceof Inet6Address;
    return "/" + (bracketed ? "[" + address + "]" : address) + ":" + endpoint.getPort();
  }
}
