package io.helenus.server.process;

import io.helenus.server.config.MemoryPlan;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes of {@code helenus cluster}: one on each of 127.0.0.1, 127.0.0.2 and so on, with the
 * usual ports, its own data folder, and its part of the memory and the processors. Immutable.
 *
 * @param folder the folder of their data folders
 */
record ClusterPlan(Path folder, List<Member> members) {
  static final int DEFAULT_NODES = 3;
  static final int MOST_NODES = 9;
  static final String DEFAULT_FOLDER = "helenus-cluster";

  private static final String FIRST_ADDRESS = "127.0.0.1";
  private static final long MEBIBYTE = 1 << 20;

  /** What is different in each node, or would be a conflict on one machine. */
  private static final List<Setting> OWN =
      List.of(
          Setting.DATA_DIRECTORY,
          Setting.SEEDS,
          Setting.INITIAL_CLUSTER_SIZE,
          Setting.INITIAL_TOKEN,
          Setting.LISTEN_ADDRESS,
          Setting.BROADCAST_ADDRESS,
          Setting.RPC_ADDRESS,
          Setting.BROADCAST_RPC_ADDRESS,
          Setting.ADMIN_ADDRESS,
          Setting.HEALTH_ADDRESS,
          Setting.LOG_FILE);

  /** The names of these keys, which nobody else can set. */
  static final Set<String> OWN_KEYS = names();

  /**
   * A node.
   *
   * @param name how its lines in the log begin
   * @param data its data folder
   * @param client where it listens for clients
   * @param node where it listens for the other nodes
   * @param arguments its command line
   */
  record Member(
      String name,
      Path data,
      InetSocketAddress client,
      InetSocketAddress node,
      List<String> arguments) {}

  private static Set<String> names() {
    Set<String> names = new TreeSet<>();
    OWN.forEach(setting -> names.add(setting.name()));
    return names;
  }

  /**
   * Plans nodes.
   *
   * @param processors how many they share
   */
  static ClusterPlan of(Arguments.Outcome.Cluster cluster, int processors) {
    int nodes = cluster.nodes();
    Settings settings = cluster.settings();
    Path folder = Path.of(cluster.folder());
    List<Member> members = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      String name = "node" + i;
      String address = "127.0.0." + i;
      Path data = folder.resolve(name);
      List<String> arguments = new ArrayList<>(cluster.options());
      for (Setting setting : OWN) {
        add(
            arguments,
            setting,
            switch (setting.name()) {
              case "data_directory" -> data.toString();
              case "seeds" -> FIRST_ADDRESS;
              case "initial_cluster_size" -> Integer.toString(nodes);
              case "listen_address", "rpc_address", "admin_address", "health_address" -> address;
              default -> "";
            });
      }
      share(arguments, settings, nodes, processors);
      members.add(
          new Member(
              name,
              data,
              new InetSocketAddress(address, settings.number(Setting.NATIVE_TRANSPORT_PORT)),
              new InetSocketAddress(address, settings.number(Setting.STORAGE_PORT)),
              List.copyOf(arguments)));
    }
    return new ClusterPlan(folder, List.copyOf(members));
  }

  /** Divides what a node would take by default: for others it would be the whole. */
  private static void share(List<String> arguments, Settings settings, int nodes, int processors) {
    if (settings.text(Setting.MEMORY).equals(Setting.MEMORY.defaultText())) {
      long part = settings.memory().totalBytes() / nodes / MEBIBYTE;
      add(arguments, Setting.MEMORY, Math.max(part, MemoryPlan.leastBytes() / MEBIBYTE) + "MiB");
    }
    if (settings.text(Setting.SHARDS).equals(Setting.SHARDS.defaultText())) {
      add(arguments, Setting.SHARDS, Integer.toString(Math.max(1, processors / nodes)));
    }
  }

  private static void add(List<String> arguments, Setting setting, String value) {
    arguments.add("-D");
    arguments.add(setting.name() + "=" + value);
  }
}
