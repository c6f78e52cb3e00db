package io.helenus.server.node;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Scheduler.Timer;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the other members what this node says about itself: every {@link #INTERVAL_NANOS}, and
 * at once when something has changed that drivers wait for. On the thread of the home shard, unless
 * stated otherwise.
 */
final class ReportSender {
  /** How old a number that changes all the time, such as the load, may become on other nodes. */
  static final long INTERVAL_NANOS = 10_000_000_000L;

  private final Shard home;
  private final LongFunction<NodeReport> reports;
  private final Consumer<? super byte[]> send;
  private long number;
  private @Nullable Timer timer;

  /**
   * Sends nothing before {@link #start}.
   *
   * @param reports what there is to say, by the number of the report
   * @param send sends a message to all members to which there is a link
   */
  ReportSender(Shard home, LongFunction<NodeReport> reports, Consumer<? super byte[]> send) {
    this.home = home;
    this.reports = reports;
    this.send = send;
  }

  /** Sends the first report, and the others from then on. */
  void start() {
    timer = home.schedule(this::start, INTERVAL_NANOS);
    send();
  }

  /** Sends a report now: the schema has changed, a member was met, or clients are served. */
  void send() {
    if (timer != null) {
      send.accept(reports.apply(++number).toBytes());
    }
  }

  /** Ends it. */
  void stop() {
    Timer running = timer;
    if (running != null) {
      running.cancel();
      timer = null;
    }
  }
}
