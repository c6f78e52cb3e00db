package io.helenus.clients.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.NodeStateListenerBase;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.clients.Toolchain;
import io.helenus.server.process.ClusterProcesses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Drivers of all languages with one cluster of three nodes, and one of them as contact point. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
class ClusterDriversIT {
  private static final int CONTACT = 2;
  private static final int INSERTS = 300;
  private static final String EXECUTED = "cassandra_cql_preparedstatementsexecuted_total";
  private static final String WRITTEN =
      "cassandra_table_writelatency_seconds_count{keyspace=\"rf1\",table=\"t\"}";
  private static final String WRITTEN_BY_ALL = WRITTEN.replace("rf1", "rf3");
  private static final long PATIENCE_SECONDS = 60;

  private Path folder;
  private ClusterProcesses cluster;
  private JavaDriver4Application java;
  private Map<String, List<Integer>> idsByReplica;
  private final List<DriverApplication> drivers = new ArrayList<>();

  /** Opens a driver, or throws {@link TestAbortedException} if it is not installed. */
  private interface Opening {
    DriverApplication open() throws IOException;
  }

  @BeforeAll
  void connect(@TempDir Path temporary) throws IOException {
    folder = temporary;
    cluster = new ClusterProcesses(folder.resolve("cluster"), List.of("-Dmemory=256MiB"));
    InetSocketAddress contact =
        new InetSocketAddress(ClusterProcesses.address(CONTACT), cluster.port());
    try (CqlSession session = JavaDriver4Application.open(contact, new NodeStateListenerBase())) {
      for (int replicas : new int[] {1, 3}) {
        session.execute(
            "CREATE KEYSPACE rf"
                + replicas
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
                + replicas
                + "}");
        session.execute("CREATE TABLE rf" + replicas + ".t (id int PRIMARY KEY, v int)");
      }
    }
    java = new JavaDriver4Application(contact);
    drivers.add(java);
    idsByReplica = java.byReplica(INSERTS);
    add(() -> new JavaDriver3Application(contact));
    add(() -> program("Python", Toolchain.pythonPrograms().resolve("python"), "python/cluster.py"));
    add(() -> nodeProgram());
    add(() -> program("Go", Toolchain.goProgram(Toolchain.resources("go"))));
    add(() -> program("Rust", Toolchain.rustProgram(Toolchain.resources("rust"))));
  }

  /** Adds a driver, unless it is not installed, which fails in continuous integration. */
  private void add(Opening opening) throws IOException {
    try {
      drivers.add(opening.open());
    } catch (TestAbortedException e) {
      System.out.println(e.getMessage());
    }
  }

  private DriverApplication program(String name, List<String> command, Map<String, String> more)
      throws IOException {
    List<String> all = new ArrayList<>(command);
    String host = ClusterProcesses.address(CONTACT).getHostAddress();
    all.addAll(List.of(host, Integer.toString(cluster.port()), "cluster"));
    return new ClusterProgram(name, all, more, folder.resolve(name + ".err"));
  }

  private DriverApplication program(String name, Path executable) throws IOException {
    return program(name, List.of(executable.toString()), Map.of());
  }

  private DriverApplication program(String name, Path executable, String script)
      throws IOException {
    return program(
        name, List.of(executable.toString(), Toolchain.resources(script).toString()), Map.of());
  }

  private DriverApplication nodeProgram() throws IOException {
    Path modules = Toolchain.nodeModules();
    return program(
        "Node",
        List.of("node", Toolchain.resources("node/cluster.js").toString()),
        Map.of("NODE_PATH", modules.toString()));
  }

  @AfterAll
  void stop() {
    drivers.forEach(DriverApplication::close);
    cluster.close();
  }

  private static String address(int number) {
    return ClusterProcesses.address(number).getHostAddress();
  }

  private static List<String> addresses() {
    return List.of(address(1), address(2), address(3));
  }

  @Test
  @Order(1)
  void everyDriverFindsTheOtherNodes() {
    for (DriverApplication driver : drivers) {
      assertEquals(addresses(), driver.hosts(), driver.name());
    }
    assertEquals(3 * 16, java.tokenRanges());
    assertTrue(java.schemaAgrees());
  }

  /** A counter in the metrics of a node. */
  private long counter(int node, String series) throws IOException {
    String line =
        cluster
            .metrics(node)
            .lines()
            .filter(each -> each.startsWith(series))
            .findFirst()
            .orElseThrow(() -> new AssertionError(series));
    return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  private void checkRouting(DriverApplication driver, int node, List<Integer> ids)
      throws IOException {
    // prepares the statement at that node
    driver.insert(ids);
    long executed = counter(node, EXECUTED);
    long written = counter(node, WRITTEN);
    driver.insert(ids);
    assertEquals(ids.size(), counter(node, WRITTEN) - written, "rows whose replica it is");
    long routed = counter(node, EXECUTED) - executed;
    assertTrue(
        routed >= ids.size() * 95 / 100 && routed <= ids.size(),
        () -> driver.name() + ": " + routed + " of " + ids.size() + " to node " + node);
  }

  @Test
  @Order(2)
  void requestsGoToAReplica() throws IOException {
    for (DriverApplication driver : drivers) {
      for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
        checkRouting(driver, i, idsByReplica.get(address(i)));
      }
    }
  }

  private String cqlsh(int node, String... lines) throws IOException {
    Path script = folder.resolve("script.cql");
    Files.writeString(script, String.join("\n", lines) + "\n");
    Toolchain.Run run =
        Toolchain.run(
            List.of(
                Toolchain.pythonPrograms().resolve("cqlsh").toString(),
                "--no-color",
                "-f",
                script.toString(),
                address(node),
                Integer.toString(cluster.port())),
            folder,
            Map.of("HOME", folder.toString(), "TERM", "xterm"));
    assertEquals("", run.err());
    assertEquals(0, run.exitCode(), run.out());
    return run.out();
  }

  @Test
  @Order(3)
  void cqlshSeesTheSameThroughEveryNode() throws IOException {
    String expected = "";
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      String out =
          cqlsh(
              i,
              "CONSISTENCY ALL",
              "INSERT INTO rf3.t (id, v) VALUES (-1, 1);",
              "INSERT INTO rf3.t (id, v) VALUES (-2, 2);",
              "DESCRIBE CLUSTER",
              "USE rf1;",
              "DESCRIBE CLUSTER",
              "USE rf3;",
              "DESCRIBE CLUSTER",
              "SELECT id, v FROM t WHERE id IN (-1, -2);");
      assertEquals(i == 1 ? out : expected, out);
      expected = out;
    }
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      assertEquals(2 * ClusterProcesses.COUNT, counter(i, WRITTEN_BY_ALL), "writes of node " + i);
    }
    assertTrue(expected.startsWith("Consistency level set to ALL.\n"), expected);
    assertEquals(3, expected.split("Cluster: Test Cluster", -1).length - 1, expected);
    assertTrue(expected.contains("\n id | v\n----+---\n -2 | 2\n -1 | 1\n\n(2 rows)\n"), expected);
  }

  /** Waits until a driver has said something since it had said a number of things. */
  private void await(DriverApplication driver, int since, String event) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    List<String> events = driver.events();
    while (!events.subList(since, events.size()).contains(event)) {
      assertTrue(
          System.nanoTime() < end,
          () -> driver.name() + ": no " + event + " in " + driver.events() + "\n" + cluster.logs());
      Thread.sleep(10);
      events = driver.events();
    }
  }

  /** How many requests each node has refused since its start. */
  private List<Long> unavailables() throws IOException {
    List<Long> refused = new ArrayList<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      refused.add(
          counter(i, "cassandra_clientrequest_unavailables_total{scope=\"Read\"")
              + counter(i, "cassandra_clientrequest_unavailables_total{scope=\"Write\""));
    }
    return refused;
  }

  /** Waits until each driver has said so, and has succeeded with more requests since. */
  private void await(Map<DriverApplication, Integer> since, String event) throws Exception {
    for (DriverApplication driver : drivers) {
      await(driver, since.get(driver), event);
    }
    for (DriverApplication driver : drivers) {
      int until = driver.done() + 50;
      while (driver.done() < until && driver.failures().isEmpty()) {
        Thread.sleep(10);
      }
    }
  }

  private Map<DriverApplication, Integer> heard() {
    Map<DriverApplication, Integer> heard = new HashMap<>();
    for (DriverApplication driver : drivers) {
      heard.put(driver, driver.events().size());
    }
    return heard;
  }

  /** Connections to all nodes but one that hear of every change. */
  private List<CqlClient> listeners(int but) {
    List<CqlClient> listeners = new ArrayList<>();
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      if (i != but) {
        CqlClient listener = cluster.connect(i);
        listener.register("STATUS_CHANGE", "TOPOLOGY_CHANGE");
        listeners.add(listener);
      }
    }
    return listeners;
  }

  /** What a connection has heard so far. */
  private static List<String> heard(CqlClient listener) {
    assertInstanceOf(Response.Rows.class, listener.query("SELECT peer FROM system.peers"));
    List<String> events = new ArrayList<>();
    for (Response.Event event : listener.eventsSoFar()) {
      events.add(event.type() + " " + event.change() + " " + event.details().getFirst());
    }
    return events;
  }

  private static int peers(CqlClient listener) {
    return assertInstanceOf(Response.Rows.class, listener.query("SELECT peer FROM system.peers_v2"))
        .rows()
        .size();
  }

  private void restart(int number) throws Exception {
    List<CqlClient> listeners = listeners(number);
    try {
      Map<DriverApplication, Integer> before = heard();
      assertEquals(0, cluster.node(number).terminate(), cluster.node(number).log());
      await(before, "down " + address(number));
      for (CqlClient listener : listeners) {
        assertEquals(2, peers(listener));
      }
      Map<DriverApplication, Integer> down = heard();
      cluster.start(number);
      await(down, "up " + address(number));
      for (CqlClient listener : listeners) {
        String where = address(number) + ":" + cluster.port();
        assertEquals(
            List.of("STATUS_CHANGE DOWN " + where, "STATUS_CHANGE UP " + where), heard(listener));
      }
    } finally {
      listeners.forEach(CqlClient::close);
    }
  }

  @Test
  @Order(4)
  void aRollingRestartFailsNoRequest() throws Exception {
    drivers.forEach(DriverApplication::load);
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      restart(i);
    }
    Map<String, List<String>> failures = new TreeMap<>();
    Map<String, Integer> done = new TreeMap<>();
    for (DriverApplication driver : drivers) {
      done.put(driver.name(), driver.end());
      if (!driver.failures().isEmpty()) {
        failures.put(driver.name(), driver.failures());
      }
    }
    System.out.println(
        "requests during the restarts: " + done + ", UNAVAILABLE: " + unavailables());
    assertEquals(Map.of(), failures, cluster.logs());
  }
}
