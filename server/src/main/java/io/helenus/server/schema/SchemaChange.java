package io.helenus.server.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a definition statement comes to.
 *
 * @param edit null when there is nothing to do (IF EXISTS, IF NOT EXISTS): the answer is void then
 * @param action of the SCHEMA_CHANGE answer and event
 * @param table null when the keyspace itself changes
 * @param warnings for the client
 */
public record SchemaChange(
    @Nullable SchemaEdit edit,
    Action action,
    String keyspace,
    @Nullable String table,
    List<String> warnings) {

  /** The kind of change, named as the protocol does. */
  public enum Action {
    /** It is new. */
    CREATED,
    /** It changed. */
    UPDATED,
    /** It is gone. */
    DROPPED
  }

  /** Copies the list. */
  public SchemaChange {
    warnings = List.copyOf(warnings);
  }

  /** The protocol's target: KEYSPACE or TABLE. */
  public String target() {
    return table == null ? "KEYSPACE" : "TABLE";
  }
}
