package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads rows by SELECT, with or without paging. */
final class TableReader {
  /** A SELECT failed, or got no response because the node stopped. */
  static final class ReadFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int code;

    ReadFailedException(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  private final Function<SimNode.Query, @Nullable Response> client;

  TableReader(Function<SimNode.Query, @Nullable Response> client) {
    this.client = client;
  }

  /** All rows of a SELECT that returns whole rows. */
  Model.Seen seen(Model.Table table, String cql, int pageSize, LongSupplier clock) {
    long first = clock.getAsLong();
    Pages pages = pages(cql, pageSize);
    while (pages.next()) {
      // until the last page
    }
    return pages.seen(table, first, clock.getAsLong());
  }

  /** The values of all rows of a SELECT, in hexadecimal; empty for null. */
  List<List<String>> texts(String cql) {
    Response response = client.apply(new SimNode.Query(cql, 0, -1, null));
    return RowDecoder.texts(rows(cql, response));
  }

  private static Response.Rows rows(String cql, @Nullable Response response) {
    if (response == null) {
      throw new ReadFailedException(0, "the node stopped");
    }
    if (response instanceof Response.Failure failure) {
      throw new ReadFailedException(failure.code(), cql + ": " + failure.message());
    }
    return (Response.Rows) response;
  }

  /** A SELECT whose first page has not been requested yet. */
  Pages pages(String cql, int pageSize) {
    return new Pages(cql, pageSize);
  }

  /** The pages of one SELECT. */
  final class Pages {
    private final String cql;
    private final int pageSize;
    private final List<Row> rows = new ArrayList<>();
    private byte @Nullable [] state;

    Pages(String cql, int pageSize) {
      this.cql = cql;
      this.pageSize = pageSize;
    }

    /** Requests the next page; returns false if there are no more. */
    boolean next() {
      Response.Rows page =
          TableReader.rows(cql, client.apply(new SimNode.Query(cql, 0, pageSize, state)));
      if (pageSize > 0 && page.rows().size() > pageSize) {
        throw new ViolationError(
            Violation.WRONG_ROW, page.rows().size() + " rows on a page of " + pageSize);
      }
      rows.addAll(RowDecoder.rows(page));
      state = page.pagingState();
      return state != null;
    }

    /** The rows received so far. */
    List<Row> rows() {
      return List.copyOf(rows);
    }

    /** The rows received so far, by partition. */
    Model.Seen seen(Model.Table table, long firstSecond, long lastSecond) {
      List<List<Row>> partitions = new ArrayList<>();
      for (int p = 0; p < Model.PARTITIONS; p++) {
        partitions.add(new ArrayList<>());
      }
      int before = -1;
      Set<Integer> ended = new HashSet<>();
      for (Row row : rows) {
        if (row.p() != before && !ended.add(row.p()) || row.p() < 0) {
          throw new ViolationError(
              Violation.REPEATED_ROW, cql + " returns to a partition: " + rows);
        }
        before = row.p();
        partitions.get(row.p()).add(row);
      }
      return new Model.Seen(table, partitions, firstSecond, lastSecond, false, null);
    }

    /** Reports the difference between a paged and an unpaged read. */
    void checkAgainst(Model.Seen whole, Model.Seen paged) {
      for (int p = 0; p < Model.PARTITIONS; p++) {
        List<Row> expected = whole.partitions().get(p);
        List<Row> found = paged.partitions().get(p);
        if (new HashSet<>(found).size() < found.size()) {
          throw new ViolationError(Violation.REPEATED_ROW, cql + " by pages: " + found);
        }
        if (found.size() < expected.size() && expected.containsAll(found)) {
          throw new ViolationError(
              Violation.SKIPPED_ROW,
              cql + " by pages of " + pageSize + ": " + found + " of " + expected);
        }
      }
    }
  }
}
