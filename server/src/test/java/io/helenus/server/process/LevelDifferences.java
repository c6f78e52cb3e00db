package io.helenus.server.process;

import io.helenus.server.process.LevelAnswers.Key;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is answered otherwise than Cassandra does to {@link LevelCases}, each by what Cassandra
 * answers to another of them. Stateless.
 */
final class LevelDifferences {
  private static final String REPLICA_FAILS = "2 fails";
  private static final String IN_DATACENTER = " in DC datacenter1";

  private LevelDifferences() {}

  /** What may be answered. */
  static Set<String> expected(LevelAnswers recorded, Key key) {
    return ours(recorded, key).stream()
        .map(text -> comparable(key, text))
        .collect(Collectors.toSet());
  }

  /**
   * An answer without how many replicas had answered when one failed, and whether the one with data
   * was among them: a race.
   */
  static String comparable(Key key, String answer) {
    return key.section().startsWith(REPLICA_FAILS)
        ? answer
            .replaceAll("received \\d", "received *")
            .replaceAll("dataPresent \\d", "dataPresent *")
        : answer;
  }

  private static List<String> ours(LevelAnswers recorded, Key key) {
    List<String> texts = recorded.at(key, key.level());
    String text = texts.getFirst();
    boolean stopped = key.section().contains("stopped");
    boolean timeout = text.startsWith("READ_TIMEOUT");
    if (key.level() == ConsistencyLevel.ANY && text.equals("done")) {
      // without hints a write that no replica has is none
      return recorded.at(key, ConsistencyLevel.ONE);
    }
    if (stopped && timeout && key.name().startsWith("scan ") && !isOfSeveral(key)) {
      // scans ask for digests, so that one that has answered need not have sent data
      return recorded.named(key, key.name().replace("scan", "SELECT"), withoutPaxos(key.level()));
    }
    if (stopped && timeout) {
      // where there are no conditional writes, SERIAL is read as QUORUM
      return recorded.at(key, withoutPaxos(key.level()));
    }
    if (stopped && text.startsWith("UNAVAILABLE") && isOfSeveral(key)) {
      // partitions are read one after the other, and one whose replica is stopped may be the first
      String first = "SELECT " + key.name().substring(key.name().length() - 2) + " at ";
      List<String> either = new ArrayList<>(texts);
      either.addAll(recorded.named(key, first + key.section().charAt(0), key.level()));
      return either;
    }
    if (text.contains(IN_DATACENTER)) {
      // Cassandra counts no replicas then
      return recorded.at(key, ConsistencyLevel.LOCAL_QUORUM).stream()
          .map(other -> other.replace("level $", "level $" + IN_DATACENTER))
          .toList();
    }
    if (key.section().startsWith(REPLICA_FAILS)
        && text.startsWith("READ_FAILURE")
        && hasSpareReplica(key)) {
      return List.of("0 rows");
    }
    return texts;
  }

  private static ConsistencyLevel withoutPaxos(ConsistencyLevel level) {
    return level.isSerial() ? ConsistencyLevel.QUORUM : level;
  }

  private static boolean isOfSeveral(Key key) {
    return key.name().startsWith("SELECT IN ") || key.name().startsWith("scan of all ");
  }

  /** Whether the read asks another replica than the one that failed. */
  private static boolean hasSpareReplica(Key key) {
    return key.section().contains("1 is the coordinator") && key.level() == ConsistencyLevel.ONE
        ? key.name().contains("at 23")
        : key.level() == ConsistencyLevel.QUORUM && key.name().contains("at 123");
  }
}
