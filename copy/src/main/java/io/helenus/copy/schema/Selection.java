package io.helenus.copy.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.helenus.copy.cluster.CopyException;
import io.helenus.copy.cluster.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is copied of one keyspace.
 *
 * @param tables in the order in which they are copied
 * @param isWhole whether the keyspace was named and not some of its tables
 */
public record Selection(KeyspaceMetadata keyspace, List<TableMetadata> tables, boolean isWhole) {
  private static final Set<String> SYSTEM =
      Set.of(
          "system",
          "system_schema",
          "system_auth",
          "system_traces",
          "system_distributed",
          "system_distributed_everywhere",
          "system_views",
          "system_virtual_schema");

  /**
   * Finds what the arguments name in a cluster.
   *
   * @param names KEYSPACE or KEYSPACE.TABLE; as they are, and if there is none in lower case
   */
  public static List<Selection> find(Side side, List<String> names) {
    Map<KeyspaceMetadata, List<TableMetadata>> found = new LinkedHashMap<>();
    List<KeyspaceMetadata> whole = new ArrayList<>();
    for (String name : names) {
      int dot = endOfFirst(name);
      KeyspaceMetadata keyspace = keyspace(side, dot < 0 ? name : name.substring(0, dot));
      List<TableMetadata> tables = found.computeIfAbsent(keyspace, _ -> new ArrayList<>());
      if (dot < 0) {
        whole.add(keyspace);
        keyspace.getTables().values().stream()
            .filter(table -> !tables.contains(table))
            .forEach(tables::add);
      } else {
        TableMetadata table = table(side, keyspace, name.substring(dot + 1));
        if (!tables.contains(table)) {
          tables.add(table);
        }
      }
    }
    return found.entrySet().stream()
        .map(
            entry ->
                new Selection(entry.getKey(), entry.getValue(), whole.contains(entry.getKey())))
        .toList();
  }

  /** The dot after the first name, which may be in quotes; -1 if there is no second one. */
  private static int endOfFirst(String name) {
    boolean quoted = false;
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) == '"') {
        quoted = !quoted;
      } else if (name.charAt(i) == '.' && !quoted) {
        return i;
      }
    }
    return -1;
  }

  private static KeyspaceMetadata keyspace(Side side, String name) {
    Metadata metadata = side.metadata();
    if (SYSTEM.contains(name)) {
      throw new CopyException(
          "the keyspace " + name + " belongs to the server itself and cannot be copied");
    }
    return identifiers(name).stream()
        .flatMap(identifier -> metadata.getKeyspace(identifier).stream())
        .findFirst()
        .orElseThrow(
            () ->
                new CopyException(
                    "there is no keyspace "
                        + name
                        + " in "
                        + side.hosts()
                        + "; it has "
                        + userKeyspaces(metadata)));
  }

  private static boolean isSystem(KeyspaceMetadata keyspace) {
    return keyspace.isVirtual() || SYSTEM.contains(keyspace.getName().asInternal());
  }

  private static String userKeyspaces(Metadata metadata) {
    List<String> names =
        metadata.getKeyspaces().values().stream()
            .filter(keyspace -> !isSystem(keyspace))
            .map(keyspace -> keyspace.getName().asCql(true))
            .sorted()
            .toList();
    return names.isEmpty() ? "none of users" : String.join(", ", names);
  }

  private static TableMetadata table(Side side, KeyspaceMetadata keyspace, String name) {
    for (CqlIdentifier identifier : identifiers(name)) {
      Optional<TableMetadata> table = keyspace.getTable(identifier);
      if (table.isPresent()) {
        return table.get();
      }
      if (keyspace.getView(identifier).isPresent()) {
        throw new CopyException(
            name + " is a materialized view: copy its table, and the target fills the view");
      }
    }
    throw new CopyException(
        "there is no table "
            + name
            + " in "
            + keyspace.getName().asCql(true)
            + " of "
            + side.hosts());
  }

  private static List<CqlIdentifier> identifiers(String name) {
    if (name.startsWith("\"") && name.endsWith("\"") && name.length() > 2) {
      return List.of(CqlIdentifier.fromCql(name));
    }
    return List.of(
        CqlIdentifier.fromInternal(name),
        CqlIdentifier.fromInternal(name.toLowerCase(Locale.ROOT)));
  }
}
