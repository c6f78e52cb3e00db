package io.helenus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.admin.command.Commands;
import io.helenus.server.replica.PartitionSampler.Kind;
import io.helenus.server.replica.PartitionSampler.Sample;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The outputs of commands have the layout of the outputs recorded from Cassandra. */
class CommandLayoutTest {
  /** What Cassandra calls {@code -t} and so on, by the name under which it is sent. */
  private static final Map<String, String> WITH_VALUE =
      Map.of(
          "-t",
          "tag",
          "-cf",
          "table",
          "-F",
          "format",
          "-s",
          "sort",
          "-top",
          "top",
          "-a",
          "samplers",
          "-k",
          "top",
          "-capacity",
          "capacity");

  private static final Map<String, String> FLAGS =
      Map.of(
          "--all",
          "all",
          "--repair",
          "repair",
          "--now",
          "now",
          "-H",
          "human-readable",
          "-pp",
          "print-port",
          "-hf",
          "hex-format",
          "-l",
          "show-levels");

  static String recorded(String name) throws IOException {
    return Files.readString(Path.of("src", "test", "resources", "nodetool", name + ".txt"));
  }

  /** Runs a command; the output is followed by what nodetool adds in case of a failure. */
  static String run(AdminNode node, String line) throws IOException {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    String command = words.removeFirst();
    Map<String, String> options = new HashMap<>();
    List<String> arguments = new ArrayList<>();
    while (!words.isEmpty()) {
      String word = words.removeFirst();
      if (WITH_VALUE.containsKey(word)) {
        options.put(WITH_VALUE.get(word), words.removeFirst());
      } else if (FLAGS.containsKey(word)) {
        options.put(FLAGS.get(word), "");
      } else {
        arguments.add(word);
      }
    }
    try {
      return Commands.of(node)
          .get(command)
          .run(new Invocation(command, options, arguments, Caller.SILENT));
    } catch (CommandException e) {
      return switch (e.kind()) {
        case USAGE ->
            "nodetool: "
                + e.text()
                + "\nSee 'nodetool help' or 'nodetool help <command>'.\n["
                + e.kind().exitCode()
                + "]\n";
        case REFUSED -> e.text() + "[" + e.kind().exitCode() + "]\n";
        case NOT_DONE -> e.text() + "[" + e.kind().exitCode() + "]\n";
        case FAILED -> "error: " + e.text() + "\n[" + e.kind().exitCode() + "]\n";
      };
    }
  }

  /** Replaces what differs between nodes by words of the same width. */
  private static String masked(String output) {
    return output
        .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uuid>")
        .replaceAll("127\\.0\\.0\\.\\d+", "<ip>")
        .replaceAll("-?\\d{16,20} *", "<token>");
  }

  private static FakeNode withOneKeyspace() {
    FakeNode node =
        new FakeNode(
            "CREATE KEYSPACE live WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 1}",
            "CREATE TABLE live.t (a int PRIMARY KEY)");
    node.bigTableBytes = 282_151;
    return node;
  }

  @Test
  void status() throws IOException {
    assertEquals(masked(recorded("status")), masked(run(withOneKeyspace(), "status")));
    FakeNode mixed = FakeNode.withTwoKeyspaces();
    mixed.bigTableBytes = 128_300;
    assertEquals(
        masked(recorded("status-mixed")).replace("Address     ", "Address    "),
        masked(run(mixed, "status")));
    assertTrue(run(mixed, "status shop").contains(" 100.0% "));
  }

  @Test
  void ring() throws IOException {
    assertEquals(masked(recorded("ring")), masked(run(withOneKeyspace(), "ring")));
  }

  @Test
  void describeCluster() throws IOException {
    String expected = recorded("describecluster");
    expected = expected.replace("Snitch: enabled", "Snitch: disabled").replace("5.0.9", "5.0.0");
    String actual = run(withOneKeyspace(), "describecluster");
    String keyspaces = "Keyspaces:\n";
    assertEquals(
        masked(expected.substring(0, expected.indexOf(keyspaces))),
        masked(actual.substring(0, actual.indexOf(keyspaces))));
    List<String> lines = actual.substring(actual.indexOf(keyspaces)).lines().sorted().toList();
    assertEquals(expected.substring(expected.indexOf(keyspaces)).lines().sorted().toList(), lines);
  }

  @Test
  void info() throws IOException {
    List<String> expected = new ArrayList<>(recorded("info").lines().map(this::label).toList());
    expected.set(expected.indexOf("Network Cache          :"), "Chunk Cache            :");
    assertEquals(expected, run(withOneKeyspace(), "info").lines().map(this::label).toList());
  }

  private String label(String line) {
    return line.substring(0, line.indexOf(':') + 1);
  }

  @Test
  void netStatsAndBinary() throws IOException {
    FakeNode node = new FakeNode();
    assertEquals(recorded("netstats").replace("  2  ", "  0  "), run(node, "netstats"));
    assertEquals(recorded("statusbinary"), run(node, "statusbinary"));
    assertEquals("", run(node, "drain"));
    assertEquals("not running\n", run(node, "statusbinary"));
    assertTrue(run(node, "netstats").startsWith("Mode: DRAINED\n"));
    assertTrue(run(node, "enablebinary").contains("because the node was drained."));
  }

  @Test
  void version() throws IOException {
    assertEquals(
        recorded("version").replace("5.0.9", "5.0.0").strip(),
        run(new FakeNode(), "version").strip());
  }

  @Test
  void histograms() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    assertEquals(recorded("proxyhistograms-empty"), run(node, "proxyhistograms"));
    assertEquals(recorded("tablehistograms-empty"), run(node, "tablehistograms shop orders"));
  }

  @Test
  void tableStats() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    assertEquals(recorded("tablestats-empty"), run(node, "tablestats shop.orders"));
    node.bigTableBytes = 282_151;
    assertTrue(run(node, "tablestats -H shop").contains("Space used (live): 275.54 KiB\n"));
    assertTrue(run(node, "tablestats shop").contains("Max SSTable size: 275.538KiB\n"));
  }

  @Test
  void garbageCollections() throws IOException {
    assertEquals(recorded("gcstats"), run(new FakeNode(), "gcstats"));
  }

  @Test
  void topPartitions() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    String empty = recorded("toppartitions-empty");
    for (String missing :
        List.of("Longest read query", "Partitions read with the most ss", "Frequency of CAS")) {
      empty = empty.replaceFirst("(?s)" + missing + ".*?\n\n", "");
    }
    assertEquals(empty, run(node, "toppartitions"));
    ByteWriter key = new ByteWriter(8).putBytes("ann".getBytes(StandardCharsets.UTF_8));
    ByteWriter prefix = new ByteWriter(32);
    KeyFormat.putPartition(5, key.segment(), 0, key.size(), prefix);
    Sample some = new Sample(FakeNode.BIG_TABLE, prefix.toArray(), 3, 1);
    Sample more = new Sample(FakeNode.BIG_TABLE, prefix.toArray(), 14, 0);
    Sample dropped = new Sample(FakeNode.BIG_TABLE + 5, prefix.toArray(), 99, 0);
    node.samples =
        Map.of(Kind.WRITES, List.of(some, more, dropped), Kind.WRITE_SIZE, List.of(more));
    String output = run(node, "toppartitions shop orders 500");
    String writes =
        """
        Frequency of writes by partition:
           Table       Partition Count +/-
           shop.orders ann       14    0 \s
           shop.orders ann       3     1 \s

        """;
    assertTrue(output.contains(writes), output);
    String sizes =
        """
        Max mutation size by partition:
           Table       Partition Bytes
           shop.orders ann       14  \s

        """;
    assertTrue(output.endsWith(sizes), output);
    assertEquals(
        sizes, run(node, "profileload -a write_size 200"), "samplers are found in any case");
    assertEquals(
        List.of("sample 0 for 10000", "sample 100 for 500", "sample 0 for 200"), node.calls);
  }

  @Test
  void filesWithAKey() throws IOException {
    FakeNode node =
        new FakeNode(
            "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 1}",
            "CREATE TABLE k.one (a int PRIMARY KEY)",
            "CREATE TABLE k.two (a int, b text, PRIMARY KEY ((a, b))) WITH compaction ="
                + " {'class': 'LeveledCompactionStrategy'}",
            "CREATE TABLE k.three (a int, d decimal, PRIMARY KEY (a, d))",
            "CREATE MATERIALIZED VIEW k.of_three AS SELECT * FROM k.three WHERE a IS NOT NULL AND"
                + " d IS NOT NULL PRIMARY KEY (d, a)");
    String path = "/data/sstables/" + FakeNode.BIG_FILE + "\n";
    assertEquals(path, run(node, "getsstables k one 1"));
    assertEquals(path, run(node, "getsstables -hf k one 00000001"));
    assertEquals(path, run(node, "getsstables -l k one 1"));
    assertEquals("0: " + path, run(node, "getsstables -l k two 1:x\\:y"));
    assertEquals(path, run(node, "getsstables -hf k two 000400000001000003783a7900"));
    String one = "files of 100 with 478499982ae4e0cf00ff00ff00ff010000";
    String two = node.calls.getLast();
    assertEquals(List.of(one, one, one, two, two), node.calls);
    assertEquals(path, run(node, "getsstables k of_three 1.50"));
    String canonical = node.calls.getLast();
    assertEquals(path, run(node, "getsstables k of_three 1.5"));
    assertEquals(canonical, node.calls.getLast(), "a view's key has the canonical value");
    assertTrue(run(node, "getsstables -hf k of_three 00").startsWith("error: "));
    assertEquals("", run(node, "getsstables system local local"), "computed, not stored");
    assertTrue(run(node, "getsstables k one x").startsWith("error: Unable to make int from 'x'"));
    assertTrue(run(node, "getsstables k two 1").contains("has 2 columns"));
    assertTrue(run(node, "getsstables -hf k two 0004").contains("is not a key of 2 columns"));
  }

  @Test
  void snapshotsAreLoaded() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    node.fixture.change(
        "CREATE TABLE shop.copies (customer text, placed timestamp, item text, PRIMARY KEY"
            + " (customer, placed))");
    node.fixture.change(
        "CREATE TABLE shop.others (customer text, placed timestamp, item blob, PRIMARY KEY"
            + " (customer, placed))");
    node.files.create("sstables/" + FakeNode.BIG_FILE).close();
    node.files.create("sstables/" + FakeNode.INDEX_FILE).close();
    run(node, "snapshot -t two -cf orders shop");
    String folder = node.snapshots().list().getFirst().folder();
    node.calls.clear();
    assertEquals("", run(node, "import shop orders " + folder));
    assertEquals("", run(node, "import shop copies " + folder), "the same columns");
    String what = " [" + folder + "/" + FakeNode.BIG_FILE + "] written as 100";
    assertEquals(List.of("load 100" + what, "load 101" + what), node.calls);
    assertEquals(
        "Some directories failed to import:\n"
            + folder
            + ": the files of shop.orders do not fit shop.others: column item was of type"
            + " text, now blob; load them into a table where it has the type that it had\n"
            + "nowhere: it is empty or does not exist\n[1]\n",
        run(node, "import shop others " + folder + " nowhere"));
    node.fixture.change("ALTER TABLE shop.copies ADD more int");
    assertEquals("", run(node, "import shop copies " + folder), "the table has more columns");
    node.fixture.change("ALTER TABLE shop.copies DROP item");
    assertTrue(run(node, "import shop copies " + folder).contains("the table has no column item"));
    node.fixture.change("ALTER TABLE shop.orders DROP item");
    assertEquals("", run(node, "import shop orders " + folder), "dropped in the same table");
    assertTrue(run(node, "import system local " + folder).contains("into system tables"));
  }

  @Test
  void refreshLoadsTheFolderOfTheTable() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    node.files.create("sstables/" + FakeNode.BIG_FILE).close();
    node.files.create("sstables/" + FakeNode.INDEX_FILE).close();
    String target = "import/shop/orders";
    assertEquals(
        "error: " + target + " in the data folder: it is empty or does not exist\n[2]\n",
        run(node, "refresh shop orders"));
    run(node, "snapshot -t two -cf orders shop");
    String folder = node.snapshots().list().getFirst().folder();
    node.files.createFolders(target);
    node.files.link(folder + "/" + FakeNode.BIG_FILE, target + "/" + FakeNode.BIG_FILE);
    assertTrue(run(node, "refresh shop orders").contains("it has no manifest.json"));
    node.files.link(folder + "/manifest.json", target + "/manifest.json");
    node.files.link(folder + "/" + FakeNode.INDEX_FILE, target + "/" + FakeNode.INDEX_FILE);
    node.files.create(target + "/100-2.sst").close();
    assertTrue(run(node, "refresh shop orders").contains("100-2.sst is not listed"));
    node.files.delete(target + "/100-2.sst");
    node.calls.clear();
    assertEquals("", run(node, "refresh shop orders"));
    assertEquals(
        List.of("load 100 [" + target + "/" + FakeNode.BIG_FILE + "] written as 100"), node.calls);
    assertEquals(List.of(), node.files.list(target));
    assertTrue(node.files.exists(folder + "/" + FakeNode.BIG_FILE));
  }

  /** The numbers are zero, and a pool of Helenus alone comes last. */
  @Test
  void threadPools() throws IOException {
    String expected = recorded("tpstats").replaceAll("\\d+(\\.\\d)? *", "0 ");
    assertEquals(
        expected.replaceAll(" +", " "),
        run(new FakeNode(), "tpstats").replaceAll("\\d+(\\.\\d)? *", "0 ").replaceAll(" +", " "));
  }

  @Test
  void compactionStats() throws IOException {
    assertEquals(
        recorded("compactionstats").lines().map(line -> line.substring(0, 32)).toList(),
        run(new FakeNode(), "compactionstats").lines().map(line -> line.substring(0, 32)).toList());
  }

  @Test
  void gossipInfo() throws IOException {
    List<String> known = recorded("gossipinfo").lines().map(this::label).toList();
    run(new FakeNode(), "gossipinfo")
        .lines()
        .map(this::label)
        .forEach(label -> assertTrue(known.contains(label), label));
  }

  @Test
  void loggingLevels() throws IOException {
    FakeNode node = new FakeNode();
    assertEquals(recorded("getlogginglevels"), run(node, "getlogginglevels"));
    assertEquals("", run(node, "setlogginglevel io.helenus DEBUG"));
    assertTrue(run(node, "getlogginglevels").contains("\nio.helenus "));
  }

  @Test
  void snapshots() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    assertEquals(recorded("listsnapshots-none"), run(node, "listsnapshots"));
    node.files.create("sstables/" + FakeNode.BIG_FILE).close();
    assertEquals(
        "Requested creating snapshot(s) for [shop] with snapshot name [two] and options"
            + " {skipFlush=false}\nSnapshot directory: two\n",
        run(node, "snapshot -t two shop"));
    assertEquals(List.of("snapshot 100"), node.calls);
    assertEquals("error: Snapshot two already exists.\n[2]\n", run(node, "snapshot -t two shop"));
    String list = run(node, "listsnapshots");
    assertEquals(
        recorded("listsnapshots").lines().toList().get(1).replaceAll(" +", " "),
        list.lines().toList().get(1).replaceAll(" +", " ") + " ");
    assertTrue(list.contains("two           shop          orders "), list);
    Snapshots.Snapshot only = node.snapshots().list().getFirst();
    assertEquals("2023-11-14T22:14:40Z", only.created());
    assertTrue(node.files.exists(only.folder() + "/" + FakeNode.BIG_FILE));
    assertEquals(
        "Requested clearing snapshot(s) for [all keyspaces] with snapshot name [two]\n",
        run(node, "clearsnapshot -t two"));
    assertEquals(List.of(), node.snapshots().list());
    assertTrue(node.files.exists("sstables/" + FakeNode.BIG_FILE));
  }

  @Test
  void flushAndCompactReachTheNamedTables() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    assertEquals("", run(node, "flush shop orders"));
    assertEquals("", run(node, "compact shop"));
    assertEquals("", run(node, "cleanup shop"));
    assertEquals(List.of("flush 100", "compact 100"), node.calls);
    assertTrue(
        run(node, "repair shop")
            .endsWith("] Replication factor is 1. No repair is needed for keyspace 'shop'\n"));
  }

  /** In messages.txt: the command line after a $, the output, the exit code in brackets. */
  @Test
  void messages() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    for (String each : recorded("messages").split("(?m)^\\$ ", -1)) {
      if (each.isEmpty()) {
        continue;
      }
      String line = each.substring(0, each.indexOf('\n'));
      String expected = withoutForeignTypes(each.substring(line.length() + 1));
      String actual = run(node, line);
      assertEquals(
          expected, actual.matches("(?s).*\\[[12]\\]\n") ? actual : actual + "[0]\n", line);
    }
  }

  /** Helenus has no timeouts of links between nodes, and no general one. */
  private static String withoutForeignTypes(String text) {
    return text.replaceAll("truncate, internodeconnect.*\\)\\)", "truncate)");
  }

  @Test
  void tableStatisticsAreSorted() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    node.fixture.change("CREATE TABLE shop.a (a int PRIMARY KEY)");
    node.fixture.change("CREATE TABLE shop.b (a int PRIMARY KEY)");
    String one = run(node, "tablestats -s full_name -top 1 shop");
    assertTrue(one.startsWith("Total number of tables: 3 (showing top 1 by full_name)\n-"), one);
    List<String> recorded = recorded("tablestats-sorted").lines().toList();
    assertEquals(
        recorded.stream().skip(1).map(this::label).toList(),
        one.lines().skip(1).map(this::label).toList());
    assertTrue(one.contains("\n\tTable: shop.orders\n\tSSTable count: 0\n"), one);
    assertEquals(List.of("shop.orders", "shop.b", "shop.a"), sorted(node, "table_name"));
    assertEquals(List.of("shop.a", "shop.b", "shop.orders"), sorted(node, "reads"));
    assertEquals(List.of("shop.a", "shop.b", "shop.orders"), sorted(node, "read_latency"));
    node.bigTableBytes = 282_151;
    assertEquals(List.of("shop.orders", "shop.a", "shop.b"), sorted(node, "space_used_live"));
    assertTrue(
        run(node, "tablestats -F json -s sstable_count -top 2 shop")
            .startsWith("{\n  \"shop.orders\" : {\n    \"twcs\" : null,\n"));
  }

  private static List<String> sorted(FakeNode node, String key) throws IOException {
    return run(node, "tablestats -s " + key + " shop")
        .lines()
        .filter(line -> line.startsWith("\tTable: "))
        .map(line -> line.substring("\tTable: ".length()))
        .toList();
  }

  @Test
  void tableStatisticsAsDocuments() throws IOException {
    FakeNode node =
        new FakeNode(
            "CREATE KEYSPACE hcopylive WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 1}",
            "CREATE TABLE hcopylive.t (a int PRIMARY KEY)");
    assertEquals(recorded("tablestats-json-empty"), run(node, "tablestats -F json hcopylive.t"));
    assertEquals(recorded("tablestats-yaml-empty"), run(node, "tablestats -F yaml hcopylive.t"));
    node.bigTableBytes = 282_151;
    String used = run(node, "tablestats -F json -H hcopylive.t");
    assertTrue(used.contains("\"space_used_live\" : \"275.54 KiB\""), used);
    assertTrue(used.contains("\"bytes_unrepaired\" : 282151"), used);
  }
}
