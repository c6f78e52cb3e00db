package io.helenus.server.schema;

/**
 * What a keyspace is besides its tables and types. Versions of a keyspace that differ only in these
 * share one object, so that a plan that refers to it does not keep an old version of the schema in
 * memory. Compared by identity. Immutable.
 */
public final class KeyspaceProperties {
  private final String name;
  private final boolean durableWrites;
  private final Replication replication;
  private final boolean virtual;

  KeyspaceProperties(String name, boolean durableWrites, Replication replication, boolean virtual) {
    this.name = name;
    this.durableWrites = durableWrites;
    this.replication = replication;
    this.virtual = virtual;
  }

  /** The name, unquoted, in its original case. */
  public String name() {
    return name;
  }

  /** Whether writes go through the commit log. */
  public boolean durableWrites() {
    return durableWrites;
  }

  /** The replication settings. */
  public Replication replication() {
    return replication;
  }

  /** Whether it is described in system_virtual_schema and not in system_schema. */
  public boolean isVirtual() {
    return virtual;
  }
}
