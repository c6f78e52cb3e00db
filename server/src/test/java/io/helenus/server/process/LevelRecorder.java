package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Records the answers to {@link LevelCases} from three nodes of Apache Cassandra on this machine:
 * prints {@code server/src/test/resources/cluster/levels.txt}.
 *
 * <pre>LevelRecorder ADDRESS1 ADDRESS2 ADDRESS3 PID2 PID3</pre>
 *
 * All of them have {@code num_tokens: 1}, the tokens of {@link LevelCases#TOKENS} in their order,
 * {@code auto_bootstrap: false}, {@code GossipingPropertyFileSnitch} with {@code datacenter1} and
 * {@code rack1}, {@code dynamic_snitch: false}, {@code phi_convict_threshold: 12}, and 1000ms for
 * {@code read_request_timeout}, {@code range_request_timeout}, {@code write_request_timeout} and
 * {@code cas_contention_timeout}. The second has {@code tombstone_failure_threshold: 50} and {@code
 * commitlog_segment_size: 1MiB}, of which half is its largest mutation.
 */
final class LevelRecorder implements LevelsCluster {
  private static final int PASSES = 5;

  private final List<String> addresses;
  private final List<String> processes;

  private LevelRecorder(List<String> addresses, List<String> processes) {
    this.addresses = addresses;
    this.processes = processes;
  }

  public static void main(String[] arguments) throws Exception {
    List<String> given = List.of(arguments);
    LevelRecorder cluster = new LevelRecorder(given.subList(0, 3), given.subList(3, 5));
    List<String> lines = new ArrayList<>();
    lines.add(
        "# What three nodes of Apache Cassandra 5.0.9 answer, recorded by LevelRecorder.java; the");
    lines.add("# cases are those of LevelCases.java.");
    lines.addAll(new LevelCases(cluster, PASSES, (key, texts) -> false).play().lines());
    lines.forEach(System.out::println);
  }

  @Override
  public CqlClient connect(int number, int version) throws IOException {
    InetAddress host = InetAddress.getByName(addresses.get(number - 1));
    return CqlClient.connect(CqlClient.Settings.of(host, 9042).withVersion(version));
  }

  /** Each waits in a thread of its own, of which there are 128. */
  @Override
  public int requestsAtOnce() {
    return 100;
  }

  /** Once: a node that stays silent for long is down. */
  @Override
  public int retriesWhenStopped() {
    return 1;
  }

  @Override
  public void stall(int number) throws Exception {
    signal("STOP", number);
  }

  @Override
  public void takeDown(int number) throws Exception {
    signal("STOP", number);
  }

  @Override
  public void restore(int number) throws Exception {
    signal("CONT", number);
  }

  private void signal(String signal, int number) throws Exception {
    System.err.println(signal + " " + number);
    int result =
        new ProcessBuilder("kill", "-" + signal, processes.get(number - 2))
            .inheritIO()
            .start()
            .waitFor();
    if (result != 0) {
      throw new AssertionError("kill: " + result);
    }
  }

  @Override
  public String hideAddresses(String text) {
    String hidden = text;
    for (int i = 0; i < addresses.size(); i++) {
      hidden = hidden.replaceAll(Pattern.quote(addresses.get(i)) + "(:7000)?", "{" + (i + 1) + "}");
    }
    return hidden;
  }
}
