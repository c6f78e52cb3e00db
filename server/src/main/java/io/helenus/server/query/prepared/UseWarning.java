package io.helenus.server.query.prepared;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Cassandra's warning about prepared statements whose meaning depends on USE. */
public final class UseWarning {
  private UseWarning() {}

  /**
   * The text.
   *
   * @param inUse the keyspace in use; null if there is none
   * @param prepared the keyspace that was in use when the statement was prepared
   * @param id the id of the statement
   */
  public static String of(@Nullable String inUse, @Nullable String prepared, byte[] id) {
    return "`USE <keyspace>` with prepared statements is considered to be an anti-pattern due to"
        + " ambiguity in non-qualified table names. Please consider removing instances of"
        + " `Session#setKeyspace(<keyspace>)`, `Session#execute(\"USE <keyspace>\")` and"
        + " `cluster.newSession(<keyspace>)` from your code, and always use fully qualified table"
        + " names (e.g. <keyspace>.<table>). Keyspace used: "
        + inUse
        + ", statement keyspace: "
        + prepared
        + ", statement id: "
        + HexFormat.of().formatHex(id);
  }
}
