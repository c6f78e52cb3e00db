package io.helenus.server.advice;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A keyspace with SimpleStrategy in a cluster of several data centres, which it knows nothing of.
 * Said about the first of its tables, as it is the same for all.
 */
final class SimpleStrategyInSeveralDataCenters implements Rule {
  private static final int FACTOR = 3;

  @Override
  public String name() {
    return "simple-strategy-in-several-data-centers";
  }

  @Override
  public void judge(Review review) {
    if (review.isSimpleStrategy() && review.dataCenters() > 1 && isFirst(review)) {
      review.found(
          this,
          problem(review.keyspace(), review.dataCenterNames()),
          instead(review.keyspace(), review.dataCenterNames()));
    }
  }

  private static boolean isFirst(Review review) {
    return review.keyspace().tables().stream()
        .noneMatch(each -> each.storageId() < review.table().storageId());
  }

  /** What is to be said about a keyspace without tables; null for nothing. */
  @Nullable Advice about(KeyspaceSchema keyspace, Collection<String> dataCenters) {
    return keyspace.replication().className().equals(Replication.SIMPLE) && dataCenters.size() > 1
        ? new Advice(
            name(),
            CqlNames.quoted(keyspace.name()),
            problem(keyspace, dataCenters),
            instead(keyspace, dataCenters))
        : null;
  }

  private static String problem(KeyspaceSchema keyspace, Collection<String> dataCenters) {
    int factor = factor(keyspace);
    return "The keyspace "
        + CqlNames.quoted(keyspace.name())
        + " has SimpleStrategy, which puts "
        + (factor == 1 ? "the only replica" : factor + " replicas")
        + " of a partition on the next nodes of the ring, whatever their data centre; there are "
        + dataCenters.size()
        + " ("
        + String.join(", ", dataCenters)
        + "). Requests with LOCAL_QUORUM have no local replicas to count on and cross data centres,"
        + " and when one of them is lost, some partitions have lost all their replicas.";
  }

  /** The number of replicas in all, for each data centre; at least three. */
  private static String instead(KeyspaceSchema keyspace, Collection<String> dataCenters) {
    int factor = Math.max(FACTOR, factor(keyspace));
    return "ALTER KEYSPACE "
        + CqlNames.quoted(keyspace.name())
        + " WITH replication = {'class': 'NetworkTopologyStrategy', "
        + dataCenters.stream()
            .map(each -> CqlNames.literal(each) + ": " + factor)
            .collect(Collectors.joining(", "))
        + "};";
  }

  private static int factor(KeyspaceSchema keyspace) {
    String text = keyspace.replication().options().getOrDefault(Replication.FACTOR, "1");
    int slash = text.indexOf('/');
    return Integer.parseInt(slash < 0 ? text : text.substring(0, slash));
  }
}
