package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.CqlType;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client of a node whose answers are compared with a model's: with a clock that moves forward,
 * pages of random sizes, and flushes, compactions and restarts at random. Statements must succeed.
 * Not thread-safe.
 */
final class ModelSession {
  private static final long START_SECONDS = 1_900_000_000;
  private static final int LARGE_PAGE = 100;

  private final NodeUnderTest node;
  private final Random random;
  private CqlClient client;
  private long now = START_SECONDS;

  ModelSession(NodeUnderTest node, Random random) throws IOException {
    this.node = node;
    this.random = random;
    this.client = connect();
    send(
        "CREATE KEYSPACE IF NOT EXISTS model WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
  }

  private CqlClient connect() throws IOException {
    return CqlClient.connect(
        CqlClient.Settings.of(InetAddress.getByName(node.host()), node.port()));
  }

  void close() {
    client.close();
  }

  /** Moves the clock forward, and returns its seconds. */
  long pass(int seconds) {
    now += seconds;
    return now;
  }

  /**
   * A table option: small files are merged early, late, or hardly ever, so that reads meet many.
   */
  String compaction() {
    int threshold = random.nextBoolean() ? 4 : 5 + random.nextInt(10);
    return "compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': "
        + threshold
        + ", 'max_threshold': 32}";
  }

  /** Flushes one time in nine, compacts one in 33, restarts one in a hundred. */
  void disturb() throws IOException {
    int chance = random.nextInt(100);
    if (chance < 8) {
      node.flush();
    } else if (chance < 11) {
      node.flush();
      node.compact();
    } else if (chance < 12) {
      client.close();
      node.restart();
      client = connect();
    }
  }

  Response send(String statement) {
    return sendAt(statement, Math.toIntExact(now));
  }

  /** Sends a statement for which it is another time. */
  Response sendAt(String statement, int nowSeconds) {
    Response answer = client.query(statement, QueryOptions.NONE.withNowInSeconds(nowSeconds));
    assertFalse(answer instanceof Response.Failure, () -> statement + ": " + answer);
    return answer;
  }

  private QueryOptions options() {
    return QueryOptions.NONE.withNowInSeconds(Math.toIntExact(now));
  }

  /** All rows of a SELECT as lines of literals, read by pages of a random size. */
  String read(String statement, List<CqlType> types) {
    return read(statement, types, random.nextBoolean() ? 1 + random.nextInt(3) : LARGE_PAGE);
  }

  /**
   * As {@link #read}, for a condition to wait for: it takes no random numbers, so that how long it
   * takes does not change what a seed does next.
   */
  String poll(String statement, List<CqlType> types) {
    return read(statement, types, LARGE_PAGE);
  }

  private String read(String statement, List<CqlType> types, int pageSize) {
    List<List<String>> read = new ArrayList<>();
    QueryOptions options = options().withPage(pageSize, null);
    while (true) {
      Response.Rows page =
          assertInstanceOf(Response.Rows.class, client.query(statement, options), statement);
      for (List<byte @Nullable []> row : page.rows()) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          texts.add(types.get(i).toLiteral(row.get(i)));
        }
        read.add(texts);
      }
      byte[] state = page.pagingState();
      if (state == null) {
        return lines(read);
      }
      options = options().withPage(pageSize, state);
    }
  }

  static String lines(List<List<String>> rows) {
    return rows.stream().map(row -> String.join(" | ", row)).collect(Collectors.joining("\n"));
  }

  /** The restriction of a clustering column to a range; the extreme values leave an end open. */
  static String range(String column, int from, int to) {
    if (from == to) {
      return " AND " + column + " = " + from;
    }
    return (from == Integer.MIN_VALUE ? "" : " AND " + column + " >= " + from)
        + (to == Integer.MAX_VALUE ? "" : " AND " + column + " <= " + to);
  }
}
