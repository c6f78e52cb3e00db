package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.system.ClusterView;
import io.helenus.server.system.MemberView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the data that nodes own.
 *
 * @param keyspace whose replication counts; null if there is no answer for all keyspaces
 * @param note what to print if there is none; empty otherwise
 */
record Ownership(@Nullable KeyspaceSchema keyspace, String note) {
  /**
   * The ownership of a keyspace, or without a name of all user keyspaces, if they are replicated in
   * the same way.
   */
  static Ownership of(AdminNode node, @Nullable String name) throws CommandException {
    if (name != null) {
      KeyspaceSchema keyspace = node.state().schema().keyspace(name);
      if (keyspace == null) {
        throw CommandException.refused("\nError: The keyspace " + name + ", does not exist\n");
      }
      return keyspace.isVirtual() || keyspace.replication().isLocal()
          ? new Ownership(null, "Ownership values for keyspaces with LocalStrategy are meaningless")
          : new Ownership(keyspace, "");
    }
    List<KeyspaceSchema> users =
        Targets.keyspaces(node).stream().filter(Targets::isUserKeyspace).toList();
    if (users.stream().map(KeyspaceSchema::replication).distinct().count() > 1) {
      return new Ownership(
          null,
          "Non-system keyspaces don't have the same replication settings, effective ownership"
              + " information is meaningless");
    }
    return new Ownership(
        users.isEmpty() ? node.state().schema().keyspace("system_traces") : users.getFirst(), "");
  }

  /** The share of the token ring of which a member has replicas, as text; ? without an answer. */
  String text(ClusterView cluster, MemberView member, String pattern) {
    return keyspace == null
        ? "?"
        : Sizes.decimal(pattern, cluster.share(keyspace, member.node().hostId()));
  }
}
