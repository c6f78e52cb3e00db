package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.node.Node;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterPlanTest {
  @TempDir private Path folder;

  private ClusterPlan plan(int nodes, int processors, String... keys) {
    TestSettings settings = TestSettings.simulated();
    List<String> options = new ArrayList<>();
    for (String key : keys) {
      int equals = key.indexOf('=');
      settings.with(Setting.named(key.substring(0, equals)), key.substring(equals + 1));
      options.addAll(List.of("-D", key));
    }
    return ClusterPlan.of(
        new Arguments.Outcome.Cluster(nodes, folder.toString(), options, settings.build()),
        processors);
  }

  private static List<String> arguments(ClusterPlan plan, int number) {
    return plan.members().get(number - 1).arguments();
  }

  @Test
  void eachNodeHasItsAddressAndFolder() {
    ClusterPlan plan = plan(3, 8, "native_transport_port=9043", "storage_port=7100");
    assertEquals(3, plan.members().size());
    ClusterPlan.Member second = plan.members().get(1);
    assertEquals("node2", second.name());
    assertEquals(folder.resolve("node2"), second.data());
    assertEquals(new InetSocketAddress("127.0.0.2", 9043), second.client());
    assertEquals(new InetSocketAddress("127.0.0.2", 7100), second.node());
    for (String key :
        List.of(
            "data_directory=" + folder.resolve("node2"),
            "seeds=127.0.0.1",
            "initial_cluster_size=3",
            "listen_address=127.0.0.2",
            "rpc_address=127.0.0.2",
            "admin_address=127.0.0.2",
            "health_address=127.0.0.2",
            "broadcast_address=",
            "broadcast_rpc_address=",
            "initial_token=",
            "log_file=",
            "storage_port=7100")) {
      assertTrue(second.arguments().contains(key), () -> key + " in " + second.arguments());
    }
  }

  @Test
  void memoryAndProcessorsAreDivided() {
    ClusterPlan three = plan(3, 8);
    assertTrue(arguments(three, 1).contains("memory=341MiB"), arguments(three, 1).toString());
    assertTrue(arguments(three, 3).contains("shards=2"));
    ClusterPlan nine = plan(9, 2);
    assertTrue(arguments(nine, 9).contains("memory=224MiB"), arguments(nine, 9).toString());
    assertTrue(arguments(nine, 9).contains("shards=1"));
  }

  @Test
  void memoryAndShardsThatAreConfiguredAreThoseOfEachNode() {
    List<String> given = arguments(plan(3, 8, "memory=512MiB", "shards=4"), 2);
    assertEquals(1, given.stream().filter(each -> each.startsWith("memory=")).count());
    assertTrue(given.contains("memory=512MiB"));
    assertEquals(1, given.stream().filter(each -> each.startsWith("shards=")).count());
    assertTrue(given.contains("shards=4"));
  }

  private ClusterPlan free() {
    return plan(
        1,
        2,
        "native_transport_port=" + ServerProcess.freePort(),
        "storage_port=" + ServerProcess.freePort());
  }

  private static String problem(ClusterPlan plan) {
    return assertThrows(IOException.class, () -> ClusterChecks.check(plan)).getMessage();
  }

  @Test
  void freeAddressesAndFoldersAreFine() throws IOException {
    ClusterChecks.check(free());
    Path data = Files.createDirectories(folder.resolve("node1"));
    Files.createFile(data.resolve(Node.LOCK));
    ClusterChecks.check(free());
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    for (boolean client : new boolean[] {true, false}) {
      ClusterPlan plan = free();
      InetSocketAddress taken =
          client ? plan.members().getFirst().client() : plan.members().getFirst().node();
      try (ServerSocket socket = new ServerSocket(taken.getPort(), 1, taken.getAddress())) {
        assertTrue(socket.isBound());
        assertEquals(
            "cannot listen on 127.0.0.1:"
                + taken.getPort()
                + ": another process does; stop it, or choose another "
                + (client ? "native_transport_port (--port)" : "storage_port"),
            problem(plan));
      }
    }
  }

  @Test
  void anAddressThatDoesNotExistIsExplained() throws IOException {
    ClusterPlan.Member member =
        new ClusterPlan.Member(
            "node1",
            folder.resolve("node1"),
            new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 9042),
            new InetSocketAddress("127.0.0.1", ServerProcess.freePort()),
            List.of());
    String problem = problem(new ClusterPlan(folder, List.of(member)));
    assertTrue(problem.startsWith("cannot listen on 192.0.2.1:9042: "), problem);
    assertTrue(problem.endsWith("sudo ifconfig lo0 alias 192.0.2.1"), problem);
  }

  @Test
  void aFolderInUseIsNamed() throws IOException {
    ClusterPlan plan = free();
    FileSystem files = new DiskFileSystem(folder.resolve("node1"));
    files.createFolders("");
    try (FileSystem.Lock lock = files.lock(Node.LOCK)) {
      lock.recordProcess();
      String problem = problem(plan);
      assertTrue(problem.startsWith(folder.resolve("node1") + " is in use by another"), problem);
    }
    ClusterChecks.check(plan);
  }

  @Test
  void aFolderOfALargerClusterIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("node2"));
    assertEquals(
        folder
            + " has a data folder node2: it is of a cluster of more than 1 node; start as many as"
            + " before, or name another folder with --data",
        problem(free()));
    assertFalse(Files.exists(folder.resolve("node1")));
  }
}
