package io.helenus.server.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.process.LevelAnswers.Key;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every level with every set of nodes that are live, stopped or down, on every kind of replicas,
 * answered as three nodes of Cassandra do. {@code -Dlevels.write=FILE} writes down what was
 * answered.
 */
class LevelsTest {
  private static final String RECORDED = "/cluster/levels.txt";
  private static final String TIMEOUT = "1000ms";

  @TempDir private Path folder;

  /** Three servers that stall. */
  private record Servers(ThreeServers nodes) implements LevelsCluster {
    @Override
    public CqlClient connect(int number, int version) throws IOException {
      InetAddress host = InetAddress.getByName(ThreeServers.address(number));
      return CqlClient.connect(
          CqlClient.Settings.of(host, nodes.port(number)).withVersion(version));
    }

    @Override
    public int requestsAtOnce() {
      return 2000;
    }

    @Override
    public int retriesWhenStopped() {
      return 5;
    }

    @Override
    public void stall(int number) throws InterruptedException {
      nodes.stall(number);
    }

    @Override
    public void takeDown(int number) {
      nodes.stop(number);
    }

    @Override
    public void restore(int number) throws IOException {
      if (nodes.isRunning(number)) {
        nodes.goOn(number);
      } else {
        nodes.start(number);
      }
    }

    @Override
    public String hideAddresses(String text) {
      return text.replaceAll("127\\.0\\.0\\.([123])(:" + nodes.storagePort() + ")?\\b", "{$1}");
    }
  }

  private static TestSettings settings(int number, TestSettings settings) {
    settings
        .with(Setting.NUM_TOKENS, "1")
        .with(Setting.INITIAL_TOKEN, String.valueOf(LevelCases.TOKENS.get(number - 1)))
        .with(Setting.PHI_CONVICT_THRESHOLD, "16")
        .with(Setting.READ_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.RANGE_REQUEST_TIMEOUT, TIMEOUT)
        .with(Setting.WRITE_REQUEST_TIMEOUT, TIMEOUT);
    return number == 2
        ? settings
            .with(Setting.COMMITLOG_SEGMENT_SIZE, LevelCases.SEGMENT_SIZE)
            .with(Setting.TOMBSTONE_FAILURE_THRESHOLD, LevelCases.TOMBSTONE_FAILURE_THRESHOLD)
        : settings;
  }

  @Test
  void answersAreThoseOfCassandra() throws Exception {
    LevelAnswers recorded = LevelAnswers.parse(recorded());
    LevelAnswers answers;
    try (ThreeServers nodes = new ThreeServers(folder, LevelsTest::settings)) {
      answers =
          new LevelCases(
                  new Servers(nodes),
                  1,
                  (key, texts) -> differences(recorded, key, texts).isEmpty())
              .play();
    }
    String file = System.getProperty("levels.write");
    if (file != null) {
      Files.write(Path.of(file), answers.lines());
    }
    assertEquals(recorded.all().keySet(), answers.all().keySet());
    assertTrue(recorded.all().size() > 1000, "" + recorded.all().size());
    List<String> differences = new ArrayList<>();
    answers.all().forEach((key, texts) -> differences.addAll(differences(recorded, key, texts)));
    assertEquals("", String.join("\n", differences), differences.size() + " differences");
  }

  private static List<String> differences(LevelAnswers recorded, Key key, List<String> texts) {
    Set<String> expected = LevelDifferences.expected(recorded, key);
    return texts.stream()
        .filter(text -> !expected.contains(LevelDifferences.comparable(key, text)))
        .map(text -> key + "\n  expected " + expected + "\n  answered " + text)
        .toList();
  }

  private static List<String> recorded() throws IOException {
    try (InputStream in = Objects.requireNonNull(LevelsTest.class.getResourceAsStream(RECORDED))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
