package io.helenus.server.query.tracing;

import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.RequestTraces;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.modification.ModificationRunner;
import io.helenus.server.query.prepared.Planner;
import io.helenus.server.query.prepared.StatementCache;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Clock;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes traces to {@code system_traces}: a session when a traced request arrives, its duration and
 * events when the response is sent. Each node that carries out a part of a request writes the
 * events of its own, with the time since it has learned of the request. A trace that cannot be
 * written is logged and does not fail the request. One per shard; shard thread only.
 */
public final class Tracing implements RequestTraces {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final String INSERT_SESSION =
      "INSERT INTO system_traces.sessions (session_id, client, command, coordinator,"
          + " coordinator_port, parameters, request, started_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TTL 86400";
  private static final String UPDATE_SESSION =
      "UPDATE system_traces.sessions USING TTL 86400 SET duration = ? WHERE session_id = ?";
  private static final String INSERT_EVENT =
      "INSERT INTO system_traces.events (session_id, event_id, activity, source, source_port,"
          + " source_elapsed, thread) VALUES (?, ?, ?, ?, ?, ?, ?) USING TTL 86400";

  /** So many events are recorded of a trace on each node, for each request that it receives. */
  private static final int EVENTS_LIMIT = 500;

  private static final int TEXT_LIMIT = 64 << 10;

  private final ModificationRunner runner;
  private final Metadata metadata;
  private final FunctionContext functions;
  private final Clock clock;
  private final NodeAddress node;
  private final String thread;
  private final StatementCache statements;

  /**
   * The address of this node, as shown in traces.
   *
   * @param port the port for messages between nodes
   */
  public record NodeAddress(InetAddress address, int port) {}

  /**
   * Creates the tracing of a shard.
   *
   * @param thread the name of the shard's thread in events
   */
  public Tracing(
      ModificationRunner runner,
      Metadata metadata,
      FunctionContext functions,
      Clock clock,
      NodeAddress node,
      String thread,
      Planner planner) {
    this.runner = runner;
    this.metadata = metadata;
    this.functions = functions;
    this.clock = clock;
    this.node = node;
    this.thread = thread;
    this.statements = new StatementCache(false, planner);
  }

  /** The address of this node. */
  NodeAddress node() {
    return node;
  }

  /**
   * Begins the trace of a request whose client requested one.
   *
   * @param parameters the description of the request; null if it is unknown, in which case only the
   *     duration is recorded
   */
  public RequestTrace begin(
      Session session, Exchange exchange, @Nullable TraceParameters parameters) {
    ByteWriter id = new ByteWriter(16);
    functions.putTimeUuid(id);
    exchange.tracingId(Bytes.getLong(id.segment(), 0), Bytes.getLong(id.segment(), 8));
    Trace trace = new Trace(id.toArray(), true, clock.nanos());
    if (parameters != null) {
      writeSession(session, trace, parameters);
    }
    return trace;
  }

  @Override
  public RequestTrace join(MemorySegment id, long offset) {
    return new Trace(Bytes.toArray(id, offset, RequestTrace.ID_BYTES), false, clock.nanos());
  }

  private void writeSession(Session session, Trace trace, TraceParameters parameters) {
    Row row =
        new Row()
            .put(trace.id)
            .put(session.remoteAddress().getAddress().getAddress())
            .put("QUERY")
            .put(node.address().getAddress())
            .put(node.port())
            .put(WireValues.ofTextMap(parameters.values()))
            .put(parameters.request())
            .put(clock.wallMicros() / 1000);
    write(INSERT_SESSION, row);
  }

  private void write(String text, Row row) {
    Schema schema = metadata.state().schema();
    try {
      if (statements.get(text, null, schema) instanceof ModificationPlan plan) {
        runner.runQuietly(plan, row.values(), schema, Unwatched.INSTANCE);
      }
    } catch (CqlException e) {
      Unwatched.INSTANCE.failed(e.error());
    }
  }

  /** Logs failures, because a trace that cannot be written must not fail its request. */
  private enum Unwatched implements WriteCallback {
    INSTANCE;

    @Override
    public void written() {}

    @Override
    public void failed(CqlError error) {
      LOG.warn("Cannot write to system_traces: {}", error.message());
    }
  }

  private final class Trace implements RequestTrace {
    private final byte[] id;
    private final boolean coordinates;
    private final long startNanos;
    private final List<Row> events = new ArrayList<>();
    private int count;
    private boolean ended;

    Trace(byte[] id, boolean coordinates, long startNanos) {
      this.id = id;
      this.coordinates = coordinates;
      this.startNanos = startNanos;
    }

    @Override
    public String id() {
      ByteBuffer bytes = ByteBuffer.wrap(id);
      return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }

    @Override
    public void putId(ByteWriter out) {
      out.putBytes(id);
    }

    @Override
    public String table(int tableId) {
      TableSchema table = metadata.state().schema().table(tableId);
      return table == null ? "table " + tableId : table.name();
    }

    private int elapsedMicros() {
      return (int) Math.min(Integer.MAX_VALUE, (clock.nanos() - startNanos) / 1000);
    }

    @Override
    public void event(String activity) {
      if (count == EVENTS_LIMIT) {
        return;
      }
      count++;
      ByteWriter event = new ByteWriter(16);
      functions.putTimeUuid(event);
      Row row =
          new Row()
              .put(id)
              .put(event.toArray())
              .put(activity)
              .put(node.address().getAddress())
              .put(node.port())
              .put(elapsedMicros())
              .put(thread);
      if (ended) {
        write(INSERT_EVENT, row);
      } else {
        events.add(row);
      }
    }

    @Override
    public void end() {
      if (ended) {
        return;
      }
      ended = true;
      for (Row event : events) {
        write(INSERT_EVENT, event);
      }
      events.clear();
      if (coordinates) {
        write(UPDATE_SESSION, new Row().put(elapsedMicros()).put(id));
      }
    }
  }

  /** Truncates a text, which can be as long as a frame, to {@link #TEXT_LIMIT} characters. */
  static String truncate(String text) {
    if (text.length() <= TEXT_LIMIT) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(TEXT_LIMIT - 1));
    return text.substring(0, splits ? TEXT_LIMIT - 1 : TEXT_LIMIT);
  }

  /** The values of one row of a trace. */
  private static final class Row {
    private final ByteWriter bytes = new ByteWriter(128);
    private final List<int[]> slices = new ArrayList<>();

    Row put(byte[] value) {
      slices.add(new int[] {bytes.size(), value.length});
      bytes.putBytes(value);
      return this;
    }

    Row put(String value) {
      return put(truncate(value).getBytes(StandardCharsets.UTF_8));
    }

    Row put(int value) {
      slices.add(new int[] {bytes.size(), 4});
      bytes.putInt(value);
      return this;
    }

    Row put(long value) {
      slices.add(new int[] {bytes.size(), 8});
      bytes.putLong(value);
      return this;
    }

    BoundValues values() {
      BoundValues values = new BoundValues();
      values.begin(bytes.segment());
      for (int[] slice : slices) {
        values.add(slice[0], slice[1]);
      }
      return values;
    }
  }
}
