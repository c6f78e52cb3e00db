package io.helenus.server.system;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The system keyspaces. The definitions of tables in keyspaces local to a node are parsed when
 * first needed; those of stored tables, immediately.
 */
public final class SystemKeyspaces {
  private SystemKeyspaces() {}

  /** All system keyspaces, with the replication of a new cluster. */
  public static List<KeyspaceSchema> all() {
    List<KeyspaceSchema> keyspaces = new ArrayList<>(7);
    keyspaces.add(local("system", false, Definitions::system));
    keyspaces.add(local("system_schema", false, Definitions::systemSchema));
    keyspaces.add(local("system_views", true, Definitions::systemViews));
    keyspaces.add(local("system_virtual_schema", true, Definitions::systemVirtualSchema));
    keyspaces.add(shared("system_auth", 1, Definitions.systemAuth()));
    keyspaces.add(shared("system_distributed", 3, Definitions.systemDistributed()));
    keyspaces.add(shared("system_traces", 2, Definitions.systemTraces()));
    return keyspaces;
  }

  private interface Lines {
    String text();
  }

  private static KeyspaceSchema local(String name, boolean virtual, Lines lines) {
    return KeyspaceSchema.lazy(
        name, Replication.local(), virtual, () -> DefinitionReader.read(name, lines.text()));
  }

  private static KeyspaceSchema shared(String name, int factor, String lines) {
    Replication replication =
        new Replication(
            Replication.SIMPLE,
            new TreeMap<>(Map.of(Replication.FACTOR, Integer.toString(factor))));
    return KeyspaceSchema.of(name, true, replication, false, DefinitionReader.read(name, lines));
  }
}
