package io.helenus.server.admin.command;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.Command;
import java.util.HashMap;
import java.util.Map;

/** All commands. Stateless. */
public final class Commands {
  private Commands() {}

  /** The commands of a node by name. */
  public static Map<String, Command> of(AdminNode node) {
    Map<String, Command> commands = new HashMap<>();
    ClusterCommands cluster = new ClusterCommands(node);
    commands.put("version", cluster::version);
    commands.put("describecluster", cluster::describeCluster);
    commands.put("gossipinfo", cluster::gossipInfo);
    commands.put("netstats", cluster::netStats);
    commands.put("failuredetector", cluster::failureDetector);
    RingCommands ring = new RingCommands(node);
    commands.put("status", ring::status);
    commands.put("ring", ring::ring);
    commands.put("describering", ring::describeRing);
    commands.put("getendpoints", ring::getEndpoints);
    commands.put("info", new InfoCommand(node)::run);
    ActivityCommands activity = new ActivityCommands(node);
    commands.put("tpstats", activity::tpStats);
    commands.put("compactionstats", activity::compactionStats);
    commands.put("gcstats", activity::gcStats);
    TopPartitions partitions = new TopPartitions(node);
    commands.put("toppartitions", partitions::run);
    commands.put("profileload", partitions::run);
    commands.put("tablestats", new TableStats(node)::run);
    Histograms histograms = new Histograms(node);
    commands.put("proxyhistograms", histograms::proxy);
    commands.put("tablehistograms", histograms::tables);
    MaintenanceCommands maintenance = new MaintenanceCommands(node);
    commands.put("flush", maintenance::flush);
    commands.put("compact", maintenance::compact);
    commands.put("rebuild_index", maintenance::rebuildIndex);
    commands.put("viewbuildstatus", maintenance::viewBuildStatus);
    commands.put("verifyview", new VerifyView(node)::run);
    commands.put("cleanup", maintenance::cleanup);
    commands.put("repair", maintenance::repair);
    commands.put("drain", maintenance::drain);
    commands.put("enablebinary", maintenance::enableBinary);
    commands.put("disablebinary", maintenance::disableBinary);
    commands.put("statusbinary", maintenance::statusBinary);
    commands.put("statusgossip", maintenance::statusGossip);
    commands.put("decommission", maintenance::decommission);
    commands.put("move", maintenance::move);
    commands.put("removenode", maintenance::removeNode);
    SettingCommands settings = new SettingCommands(node);
    commands.put("gettimeout", settings::getTimeout);
    commands.put("settimeout", settings::setTimeout);
    commands.put("getlogginglevels", settings::getLoggingLevels);
    commands.put("setlogginglevel", settings::setLoggingLevel);
    SnapshotCommands snapshots = new SnapshotCommands(node);
    commands.put("snapshot", snapshots::snapshot);
    commands.put("listsnapshots", snapshots::list);
    commands.put("clearsnapshot", snapshots::clear);
    FileCommands files = new FileCommands(node);
    commands.put("getsstables", files::getSstables);
    commands.put("import", files::load);
    commands.put("refresh", files::refresh);
    return commands;
  }
}
