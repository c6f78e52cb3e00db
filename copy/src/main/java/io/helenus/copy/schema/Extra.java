package io.helenus.copy.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.AggregateMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.IndexMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.ViewMetadata;
import io.helenus.copy.cluster.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A part of a schema that rows do not need.
 *
 * @param name its kind and name
 * @param definition as CQL; null if it can never be copied, for the reason
 * @param exists whether a keyspace has it
 */
record Extra(
    String name, @Nullable String definition, String reason, Predicate<KeyspaceMetadata> exists) {

  boolean isPresent(KeyspaceMetadata keyspace) {
    return exists.test(keyspace);
  }

  /** Those of a selection, each after those that it needs. */
  static List<Extra> of(Side source, Selection selection) {
    KeyspaceMetadata keyspace = selection.keyspace();
    List<Extra> extras = new ArrayList<>();
    if (selection.isWhole()) {
      keyspace.getFunctions().values().forEach(function -> extras.add(of(function)));
      keyspace.getAggregates().values().forEach(aggregate -> extras.add(of(aggregate)));
    }
    for (TableMetadata table : selection.tables()) {
      table.getIndexes().values().forEach(index -> extras.add(of(index)));
      keyspace.getViewsOnTable(table.getName()).values().forEach(view -> extras.add(of(view)));
      for (Row row :
          source.execute(
              "SELECT trigger_name FROM system_schema.triggers WHERE keyspace_name = '"
                  + table.getKeyspace().asInternal()
                  + "' AND table_name = '"
                  + table.getName().asInternal()
                  + "'")) {
        extras.add(
            new Extra(
                "trigger " + row.getString(0) + " on " + SchemaText.name(table),
                null,
                "triggers are classes installed on the servers and are not copied",
                _ -> false));
      }
    }
    return extras;
  }

  private static Extra of(FunctionMetadata function) {
    return new Extra(
        "function " + function.getKeyspace().asCql(true) + "." + function.getSignature(),
        function.describe(false),
        "",
        keyspace -> keyspace.getFunction(function.getSignature()).isPresent());
  }

  private static Extra of(AggregateMetadata aggregate) {
    return new Extra(
        "aggregate " + aggregate.getKeyspace().asCql(true) + "." + aggregate.getSignature(),
        aggregate.describe(false),
        "",
        keyspace -> keyspace.getAggregate(aggregate.getSignature()).isPresent());
  }

  private static Extra of(IndexMetadata index) {
    CqlIdentifier table = index.getTable();
    return new Extra(
        "index " + index.getName().asCql(true) + " on " + table.asCql(true),
        index.describe(false),
        "",
        keyspace ->
            keyspace
                .getTable(table)
                .filter(found -> found.getIndexes().containsKey(index.getName()))
                .isPresent());
  }

  private static Extra of(ViewMetadata view) {
    return new Extra(
        "materialized view " + view.getKeyspace().asCql(true) + "." + view.getName().asCql(true),
        view.describe(false),
        "",
        keyspace -> keyspace.getView(view.getName()).isPresent());
  }
}
