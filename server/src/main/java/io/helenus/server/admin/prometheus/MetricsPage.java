package io.helenus.server.admin.prometheus;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Page;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The page with the metrics, in the text format of Prometheus or in OpenMetrics, whichever the
 * client asks for. Nothing is prepared before the first request, so that a node whose metrics
 * nobody reads pays neither time nor memory for them. One thread at a time.
 */
public final class MetricsPage implements Page {
  private final AdminNode node;
  private final int tableLimit;
  private @Nullable Exposition exposition;

  /**
   * Does nothing yet.
   *
   * @param tableLimit how many tables have series of their own
   */
  public MetricsPage(AdminNode node, int tableLimit) {
    this.node = node;
    this.tableLimit = tableLimit;
  }

  @Override
  public Document get(String accept) throws CommandException, IOException {
    Exposition known = exposition;
    if (known == null) {
      known = new Exposition(node, tableLimit);
      exposition = known;
    }
    return known.scrape(accept);
  }
}
