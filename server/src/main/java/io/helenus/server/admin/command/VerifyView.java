package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.Caller;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Invocation;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.view.ViewComparison;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.server.viewbuild.ViewVerification.Counts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code verifyview}, which Cassandra does not have. Any thread. */
final class VerifyView {
  private static final Logger LOG = LoggerFactory.getLogger(VerifyView.class);

  private final AdminNode node;

  VerifyView(AdminNode node) {
    this.node = node;
  }

  String run(Invocation invocation) throws CommandException {
    String usage = "verifyview requires keyspace and view name arguments";
    String keyspaceName = invocation.required(0, usage);
    String name = invocation.required(1, usage);
    invocation.atMost(2, usage);
    KeyspaceSchema keyspace = node.state().schema().keyspace(keyspaceName);
    TableSchema view = keyspace == null ? null : keyspace.table(name);
    if (keyspace == null || view == null || view.view() == null) {
      throw CommandException.usage(
          "There is no materialized view " + keyspaceName + "." + name + ".");
    }
    TableSchema base = keyspace.table(view.view().baseTable());
    if (base == null) {
      throw CommandException.failed("the table of " + view + " is being dropped");
    }
    check(base, view);
    boolean repairs = invocation.has("repair");
    ViewVerification.Report found = verify(base, view, repairs, invocation.caller());
    String text = report(base, view, repairs, found);
    Counts counts = found.counts();
    if (repairs ? counts.unrepaired() > 0 : counts.differences() > 0) {
      throw CommandException.refused(text);
    }
    return text;
  }

  private ViewVerification.Report verify(
      TableSchema base, TableSchema view, boolean repairs, Caller caller) throws CommandException {
    LOG.info("Verifying materialized view {}{}", view, repairs ? " and repairing it" : "");
    try {
      ViewVerification.Report found =
          node.verifyView(
              base.storageId(), view.storageId(), repairs, counts -> goesOn(caller, counts));
      Counts counts = found.counts();
      LOG.info(
          "Verified materialized view {}: {} missing, {} wrong, {} superfluous{}",
          view,
          counts.missing(),
          counts.wrong(),
          counts.superfluous(),
          repairs ? ", of which " + counts.unrepaired() + " could not be repaired" : "");
      return found;
    } catch (CommandException e) {
      LOG.warn("The verification of materialized view {} has ended early: {}", view, e.text());
      throw e;
    }
  }

  private void check(TableSchema base, TableSchema view) throws CommandException {
    for (ViewBuilds.Progress build : node.facts().viewBuilds()) {
      if (build.keyspace().equals(view.keyspace())
          && build.view().equals(view.name())
          && !build.done()) {
        throw CommandException.failed(
            view
                + " has not finished building; run the command again when viewbuildstatus says that"
                + " it has");
      }
    }
    ColumnSchema obstacle = ViewComparison.obstacle(base, view);
    if (obstacle != null) {
      throw CommandException.failed(
          view
              + " cannot be verified: it has column "
              + obstacle.name()
              + " of the table's partition key as a clustering column, and as values of type "
              + obstacle.type().toCql()
              + " can be equal without being the same, two rows of the table may share one of the"
              + " view");
    }
  }

  private static boolean goesOn(Caller caller, Counts counts) {
    caller.progress(
        counts.baseRows()
            + " rows of the table and "
            + counts.viewRows()
            + " rows of the view compared, "
            + counts.differences()
            + " differences");
    return caller.isWaiting();
  }

  private static String report(
      TableSchema base, TableSchema view, boolean repairs, ViewVerification.Report found) {
    Counts counts = found.counts();
    StringBuilder out = new StringBuilder();
    out.append("Compared ").append(counts.baseRows()).append(" rows of ").append(base);
    out.append(" and ").append(counts.viewRows()).append(" rows of ").append(view).append('\n');
    add(out, "Missing in the view", found.missing());
    add(out, "Wrong in the view", found.wrong());
    add(out, "Superfluous in the view", found.superfluous());
    if (counts.differences() == 0) {
      out.append("The view is equal to its definition\n");
    } else if (!repairs) {
      out.append("Run the command with --repair to repair the view\n");
    } else {
      out.append("Repaired: ").append(counts.differences() - counts.unrepaired()).append('\n');
      if (counts.unrepaired() > 0) {
        out.append("Not repaired: ").append(counts.unrepaired());
        out.append("; the view has newer data or deletions than the table has. Drop the view and");
        out.append(" create it again\n");
      }
    }
    return out.toString();
  }

  private static void add(
      StringBuilder out, String title, ViewVerification.Differences differences) {
    out.append(title).append(": ").append(differences.count()).append('\n');
    differences.keys().forEach(key -> out.append("    ").append(key).append('\n'));
    if (differences.count() > differences.keys().size()) {
      out.append("    ...\n");
    }
  }
}
