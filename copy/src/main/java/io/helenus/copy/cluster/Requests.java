package io.helenus.copy.cluster;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Repeats requests that failed because a server was slow, loaded or restarting, a bounded number of
 * times with growing pauses. Blocks the calling thread, which is a virtual one. Stateless.
 */
public final class Requests {
  private static final int ATTEMPTS = 9;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private Requests() {}

  /**
   * Runs requests that may be repeated as a whole.
   *
   * @param what what they do and to which side, for the message if they fail for good
   * @throws CopyException if they still fail after the last attempt, or for another reason
   */
  public static <T> T repeat(Supplier<String> what, Supplier<T> requests) {
    long pause = FIRST_PAUSE_MILLIS;
    for (int attempt = 1; ; attempt++) {
      try {
        return requests.get();
      } catch (DriverException e) {
        if (!isTemporary(e)) {
          throw new CopyException(what.get() + " failed: " + describe(e), e);
        }
        if (attempt == ATTEMPTS) {
          throw new CopyException(
              what.get()
                  + " failed "
                  + ATTEMPTS
                  + " times, the last time with: "
                  + describe(e)
                  + ". Lower --parallel or set --rate if the server is overloaded",
              e);
        }
      }
      pause(pause);
      pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CopyException("interrupted", e);
    }
  }

  private static boolean isTemporary(Throwable failure) {
    return switch (failure) {
      case DriverTimeoutException _,
          ReadTimeoutException _,
          WriteTimeoutException _,
          UnavailableException _,
          OverloadedException _,
          BootstrappingException _,
          HeartbeatException _,
          ClosedConnectionException _,
          BusyConnectionException _,
          NodeUnavailableException _,
          ConnectionInitException _ ->
          true;
      case AllNodesFailedException all ->
          all.getAllErrors().values().stream()
              .flatMap(List::stream)
              .allMatch(Requests::isTemporary);
      default -> false;
    };
  }

  /** The message of a failure with the node that answered, if one did. */
  public static String describe(Throwable failure) {
    if (failure instanceof AllNodesFailedException all && !all.getAllErrors().isEmpty()) {
      var first = all.getAllErrors().entrySet().iterator().next();
      return "no node answers: "
          + first.getKey().getEndPoint()
          + ": "
          + first.getValue().getFirst();
    }
    if (failure instanceof QueryExecutionException refused && refused.getCoordinator() != null) {
      return refused.getMessage() + " (" + refused.getCoordinator().getEndPoint() + ")";
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
