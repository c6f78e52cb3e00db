package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.admin.Snapshots;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.FilesToLoad;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Commands that find and load SSTables. Any thread. */
final class FileCommands {
  private static final String LEVELED = "LeveledCompactionStrategy";

  private final AdminNode node;
  private final ReentrantLock loading = new ReentrantLock();

  FileCommands(AdminNode node) {
    this.node = node;
  }

  String getSstables(Invocation invocation) throws CommandException {
    String usage = "getsstables requires ks, cf and key args";
    invocation.atMost(3, usage);
    String key = invocation.required(2, usage);
    TableSchema table = Targets.table(node, invocation);
    KeyspaceSchema keyspace =
        Objects.requireNonNull(node.state().schema().keyspace(table.keyspace()));
    byte[] prefix =
        PartitionKeyText.prefix(
            table, keyspace.partitionKeyTypes(table), key, invocation.has("hex-format"));
    if (!Targets.isStored(table)) {
      return "";
    }
    // files of all strategies are of level 0 here
    String strategy = String.valueOf(table.options().compaction().get("class"));
    String level = invocation.has("show-levels") && strategy.endsWith(LEVELED) ? "0: " : "";
    StringBuilder out = new StringBuilder();
    for (String path : node.filesWith(Targets.storageId(table), prefix)) {
      out.append(level).append(path).append('\n');
    }
    return out.toString();
  }

  /** Each folder is loaded as a whole or not at all; one that fails does not stop the others. */
  String load(Invocation invocation) throws CommandException {
    String unused = invocation.required(2, "import requires keyspace, table name and directories");
    TableSchema table = Targets.table(node, invocation);
    StringBuilder failures = new StringBuilder();
    List<String> arguments = invocation.arguments();
    for (String folder : arguments.subList(2, arguments.size())) {
      String reason = load(table, folder, false);
      if (reason != null) {
        failures.append(folder).append(": ").append(reason).append('\n');
      }
    }
    if (!failures.isEmpty()) {
      throw CommandException.notDone("Some directories failed to import:\n" + failures);
    }
    return "";
  }

  String refresh(Invocation invocation) throws CommandException {
    String usage = "refresh requires ks and cf args";
    invocation.atMost(2, usage);
    String name = invocation.required(1, usage);
    String keyspaceName = invocation.required(0, usage);
    KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
    if (keyspace == null || keyspace.isVirtual()) {
      throw CommandException.usage("Keyspace " + keyspaceName + " does not exist");
    }
    TableSchema table = keyspace.table(name);
    if (table == null) {
      throw CommandException.usage("Unknown keyspace/cf pair (" + keyspaceName + "." + name + ")");
    }
    String folder = Snapshots.importFolder(table);
    String reason = load(table, folder, true);
    if (reason != null) {
      throw CommandException.failed(folder + " in the data folder: " + reason);
    }
    return "";
  }

  /** Returns why nothing was loaded; null if it was. */
  private @Nullable String load(TableSchema table, String folder, boolean thenEmpty) {
    if (!Targets.isUserKeyspace(table.keyspace())) {
      return "files cannot be loaded into system tables";
    }
    if (table.view() != null) {
      return table + " is a materialized view; load the files of its base table";
    }
    KeyspaceSchema keyspace = node.state().schema().keyspace(table.keyspace());
    if (keyspace != null && !keyspace.viewsOf(table).isEmpty()) {
      return table
          + " has materialized views, which files do not change; drop them, load the files, and"
          + " create them again";
    }
    loading.lock();
    try {
      FilesToLoad files = node.snapshots().files(folder, table);
      if (!files.paths().isEmpty()) {
        node.load(table.storageId(), files);
      }
      if (thenEmpty) {
        node.snapshots().empty(folder);
      }
      return null;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (CommandException e) {
      return e.text();
    } finally {
      loading.unlock();
    }
  }
}
