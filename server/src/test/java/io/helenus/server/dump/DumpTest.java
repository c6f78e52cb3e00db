package io.helenus.server.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.process.Server;
import io.helenus.server.system.SystemKeyspaces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Dumps the files of a node against the golden outputs in {@code resources/dump}; {@code
 * -Ddump.golden=write} writes those anew, to be reviewed. Times of the run, ids and checksums are
 * masked.
 */
class DumpTest {
  private static final Path GOLDEN = Path.of("src", "test", "resources", "dump");
  private static final String[] STATEMENTS = {
    "CREATE KEYSPACE d WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE d.t (p text, c int, s text static, v text, d decimal, PRIMARY KEY (p, c))"
        + " WITH CLUSTERING ORDER BY (c DESC) AND compression = {'enabled': false}",
    "CREATE TABLE d.u (a int, b text, c timeuuid, v blob, PRIMARY KEY ((a, b), c))",
    "INSERT INTO d.t (p, c, v, d) VALUES ('ada', 1, 'one', 4.20) USING TIMESTAMP 1000",
    "INSERT INTO d.t (p, c, v) VALUES ('ada', 2, 'two') USING TIMESTAMP 2000 AND TTL 100000000",
    "INSERT INTO d.t (p, s) VALUES ('ada', 'shared') USING TIMESTAMP 3000",
    "UPDATE d.t USING TIMESTAMP 4000 SET d = 5 WHERE p = 'ada' AND c = 1",
    "DELETE v FROM d.t USING TIMESTAMP 5000 WHERE p = 'ada' AND c = 1",
    "DELETE FROM d.t USING TIMESTAMP 6000 WHERE p = 'ada' AND c = 3",
    "DELETE FROM d.t USING TIMESTAMP 7000 WHERE p = 'bob' AND c > 1",
    "DELETE FROM d.t USING TIMESTAMP 8000 WHERE p = 'eve'",
    "INSERT INTO d.u (a, b, c, v) VALUES (1, 'x', 50554d6e-29bb-11e5-b345-feff819cdc9f, 0xcafe)"
        + " USING TIMESTAMP 9000",
    "ALTER TABLE d.u DROP v",
  };

  private static final String[] LOGGED_BATCH = {
    STATEMENTS[0],
    "CREATE TABLE d.t (p text PRIMARY KEY, v text)",
    "BEGIN BATCH USING TIMESTAMP 1000 INSERT INTO d.t (p, v) VALUES ('ada', 'one')"
        + " DELETE FROM d.t WHERE p = 'bob' APPLY BATCH",
  };

  @TempDir private static Path data;
  private static Output log = new Output(0, "", "");
  private static Output logJson = log;
  @TempDir private Path folder;

  /** The output and exit code of a dump. */
  private record Output(int code, String out, String err) {}

  @BeforeAll
  static void writeData() throws IOException {
    Settings settings = TestSettings.in(data).with(Setting.SHARDS, "1").build();
    try (Server server = Server.start(settings);
        CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port())) {
      execute(client, STATEMENTS);
      // while the node is running: a clean stop deletes the log
      Path segment = only("commitlog", ".log");
      log = dump(Dump.Kind.LOG, segment, false);
      logJson = dump(Dump.Kind.LOG, segment, true);
      Files.copy(segment, data.resolve("segment"));
    }
  }

  private static void execute(CqlClient client, String... statements) throws IOException {
    for (String statement : statements) {
      if (client.query(statement) instanceof Response.Failure failure) {
        throw new AssertionError(statement + ": " + failure.message());
      }
    }
  }

  private static Path only(String kind, String end) throws IOException {
    return only(data, kind, end);
  }

  private static Path only(Path of, String kind, String end) throws IOException {
    try (Stream<Path> files = Files.list(of.resolve(kind))) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().findFirst().orElseThrow();
    }
  }

  private static Output dump(Dump.Kind kind, Path file, boolean json) {
    return dump(new Dump.Request(kind, file, json, Long.MAX_VALUE));
  }

  private static Output dump(Dump.Request request) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Dump.run(
            request,
            SystemKeyspaces.all(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    return new Output(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static String masked(String text) {
    return text.replaceAll("(-?\\d{12,}, ?){3,}-?\\d*(… \\(\\d+ in total\\))?", "TOKENS")
        .replaceAll("USING TIMESTAMP \\d+;", "USING TIMESTAMP MICROS;")
        .replaceAll("\\b1[789]\\d{14}\\b( \\([^)]*\\))?", "MICROS")
        .replaceAll("\\b1[789]\\d{8}\\b( \\([^)]*\\))?", "SECONDS")
        .replaceAll("(file.bytes\\W+)\\d+", "$1SIZE")
        .replaceAll("0x[0-9a-f]{32}\\b", "RUN")
        .replaceAll("(?!50554d6e)\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b", "UUID")
        .replaceAll("(\\blife\\W+)[0-9a-f]+", "$1LIFE")
        .replaceAll("(crc\":\")[0-9a-f]{8}", "$1CHECKSUM")
        .replaceAll("(?m)(\\d +)[0-9a-f]{8}$", "$1CHECKSUM");
  }

  /** A batch's id is random, and each zero byte of it takes two bytes in a key. */
  private static Output withoutSizes(Output printed) {
    return new Output(
        printed.code(), printed.out().replaceAll("(\\bbytes\\W+)\\d+", "$1SIZE"), printed.err());
  }

  private static void requireGolden(String name, Output printed) throws IOException {
    assertEquals("", printed.err());
    assertEquals(0, printed.code());
    Path golden = GOLDEN.resolve(name);
    if ("write".equals(System.getProperty("dump.golden"))) {
      Files.writeString(golden, masked(printed.out()));
    }
    assertEquals(Files.readString(golden), masked(printed.out()));
  }

  @Test
  void logOfARunningNode() throws IOException {
    requireGolden("log.txt", log);
    requireGolden("log.json", logJson);
  }

  @Test
  void entriesOfTheBatchLogAreDecoded() throws IOException {
    Settings settings = TestSettings.in(folder).with(Setting.SHARDS, "1").build();
    try (Server server = Server.start(settings);
        CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port())) {
      execute(client, LOGGED_BATCH);
      Path segment = only(folder, "commitlog", ".log");
      requireGolden("log-of-a-logged-batch.txt", withoutSizes(dump(Dump.Kind.LOG, segment, false)));
      requireGolden("log-of-a-logged-batch.json", withoutSizes(dump(Dump.Kind.LOG, segment, true)));
    }
    Path sstable = only(folder, "sstables", "99-1.sst");
    Output flushed = dump(Dump.Kind.SSTABLE, sstable, false);
    assertEquals(0, flushed.code(), flushed.err());
    assertTrue(flushed.out().contains("batch log"), flushed.out());
  }

  @ParameterizedTest
  @CsvSource({
    "SSTABLE, sstables, 100-1.sst",
    "MANIFEST, manifest, .manifest",
    "METADATA, metadata, .log"
  })
  void filesOfAStoppedNode(Dump.Kind kind, String where, String end) throws IOException {
    Path file = only(where, end);
    String name = kind.name().toLowerCase(Locale.ROOT);
    requireGolden(name + ".txt", dump(kind, file, false));
    requireGolden(name + ".json", dump(kind, file, true));
  }

  @Test
  void withoutASchemaIdsAndBytesAreShown() throws IOException {
    Path elsewhere = Files.copy(only("sstables", "100-1.sst"), folder.resolve("some.sst"));
    requireGolden("sstable-without-schema.txt", dump(Dump.Kind.SSTABLE, elsewhere, false));
  }

  @Test
  void aLimitCountsEntries() throws IOException {
    Path file = only("sstables", "100-1.sst");
    Output one = dump(new Dump.Request(Dump.Kind.SSTABLE, file, true, 1));
    List<String> whole = dump(Dump.Kind.SSTABLE, file, true).out().lines().toList();
    // header, footer, statistics and the entry
    assertEquals(whole.subList(0, 4), one.out().lines().toList());
  }

  /** A copy of a file with one byte changed. */
  private Path spoiled(Path original, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(original);
    bytes[offset] ^= 0x10;
    return Files.write(folder.resolve(String.valueOf(original.getFileName())), bytes);
  }

  private static void requireDamage(Output whole, Output damaged, int documents, Path file) {
    assertEquals(1, damaged.code(), damaged.err());
    assertTrue(damaged.err().contains(file.toString()), damaged.err());
    assertTrue(damaged.err().contains("offset "), damaged.err());
    List<String> expected = whole.out().lines().toList().subList(0, documents);
    assertEquals(expected, damaged.out().lines().toList().subList(0, documents));
  }

  @Test
  void aDamagedSstableIsShownUpToTheDamage() throws IOException {
    Path original = only("sstables", "100-1.sst");
    Path copy = Files.copy(original, folder.resolve("whole"));
    Output whole = dump(Dump.Kind.SSTABLE, copy, true);
    Path block = spoiled(original, 60);
    Output damaged = dump(Dump.Kind.SSTABLE, block, true);
    requireDamage(whole, damaged, 3, block);
    assertEquals(3, damaged.out().lines().count());
    Path footer = spoiled(original, (int) Files.size(original) - 30);
    damaged = dump(Dump.Kind.SSTABLE, footer, true);
    requireDamage(whole, damaged, 1, footer);
    assertEquals(1, damaged.out().lines().count());
  }

  @Test
  void aDamagedLogIsShownUpToTheDamage() throws IOException {
    Path segment = data.resolve("segment");
    Output whole = dump(Dump.Kind.LOG, Files.copy(segment, folder.resolve("whole")), true);
    Path spoiled = spoiled(segment, 64 + 96 + 30);
    Output damaged = dump(Dump.Kind.LOG, spoiled, true);
    requireDamage(whole, damaged, 2, spoiled);
    assertEquals(2, damaged.out().lines().count());
  }

  @Test
  void aDamagedManifestIsShownUpToTheDamage() throws IOException {
    Path original = only("manifest", ".manifest");
    Output whole = dump(Dump.Kind.MANIFEST, original, true);
    Path spoiled = spoiled(original, 60 + 20);
    Output damaged = dump(Dump.Kind.MANIFEST, spoiled, true);
    requireDamage(whole, damaged, 1, spoiled);
    // the state up to the damage
    assertEquals(2, damaged.out().lines().count());
  }

  @Test
  void aDamagedMetadataLogIsShownUpToTheDamage() throws IOException {
    Path original = only("metadata", ".log");
    Output whole = dump(Dump.Kind.METADATA, original, true);
    int second = whole.out().indexOf("\"offset\"", whole.out().indexOf("create keyspace"));
    String offset = whole.out().substring(second + 9, whole.out().indexOf(',', second));
    Path spoiled = spoiled(original, Integer.parseInt(offset) + 40);
    Output damaged = dump(Dump.Kind.METADATA, spoiled, true);
    requireDamage(whole, damaged, 2, spoiled);
    assertEquals(2, damaged.out().lines().count());
    assertTrue(damaged.err().contains("offset " + offset), damaged.err());
  }

  @Test
  void aFileOfAnotherKindIsRefused() throws IOException {
    Output printed = dump(Dump.Kind.MANIFEST, only("metadata", ".log"), false);
    assertEquals(1, printed.code());
    assertTrue(printed.err().contains("offset 0"), printed.err());
    Output absent = dump(Dump.Kind.LOG, folder.resolve("absent"), false);
    assertEquals(1, absent.code());
    assertTrue(absent.err().contains("absent does not exist"), absent.err());
  }
}
