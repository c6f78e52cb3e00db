package io.helenus.server.client;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters sent with a statement. Null fields are omitted; {@link #UNSET} is sent as an unset
 * value.
 */
public record QueryOptions(
    int consistency,
    List<byte @Nullable []> values,
    @Nullable List<String> names,
    boolean skipMetadata,
    @Nullable Integer pageSize,
    byte @Nullable [] pagingState,
    @Nullable Integer serialConsistency,
    @Nullable Long timestampMicros,
    @Nullable String keyspace,
    @Nullable Integer nowInSeconds,
    boolean tracing,
    @Nullable Map<String, byte[]> payload) {
  /** An unset value; compared by identity. */
  public static final byte[] UNSET = new byte[0];

  /** Consistency ONE and no other parameter. */
  public static final QueryOptions NONE =
      new QueryOptions(1, List.of(), null, false, null, null, null, null, null, null, false, null);

  /** The parameters while some of them are changed. */
  private static final class Draft {
    private int consistency;
    private List<byte @Nullable []> values;
    private @Nullable List<String> names;
    private boolean skipMetadata;
    private @Nullable Integer pageSize;
    private byte @Nullable [] pagingState;
    private @Nullable Integer serialConsistency;
    private @Nullable Long timestampMicros;
    private @Nullable String keyspace;
    private @Nullable Integer nowInSeconds;
    private boolean tracing;
    private @Nullable Map<String, byte[]> payload;

    Draft(QueryOptions from) {
      consistency = from.consistency;
      values = from.values;
      names = from.names;
      skipMetadata = from.skipMetadata;
      pageSize = from.pageSize;
      pagingState = from.pagingState;
      serialConsistency = from.serialConsistency;
      timestampMicros = from.timestampMicros;
      keyspace = from.keyspace;
      nowInSeconds = from.nowInSeconds;
      tracing = from.tracing;
      payload = from.payload;
    }
  }

  private QueryOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new QueryOptions(
        draft.consistency,
        draft.values,
        draft.names,
        draft.skipMetadata,
        draft.pageSize,
        draft.pagingState,
        draft.serialConsistency,
        draft.timestampMicros,
        draft.keyspace,
        draft.nowInSeconds,
        draft.tracing,
        draft.payload);
  }

  public QueryOptions withConsistency(int newConsistency) {
    return with(draft -> draft.consistency = newConsistency);
  }

  public QueryOptions withValues(List<byte @Nullable []> newValues) {
    return with(draft -> draft.values = newValues);
  }

  public QueryOptions withNames(List<String> newNames) {
    return with(draft -> draft.names = newNames);
  }

  public QueryOptions withSkipMetadata() {
    return with(draft -> draft.skipMetadata = true);
  }

  public QueryOptions withPage(@Nullable Integer newPageSize, byte @Nullable [] newPagingState) {
    return with(
        draft -> {
          draft.pageSize = newPageSize;
          draft.pagingState = newPagingState;
        });
  }

  public QueryOptions withSerialConsistency(int newSerialConsistency) {
    return with(draft -> draft.serialConsistency = newSerialConsistency);
  }

  public QueryOptions withTimestamp(long newTimestampMicros) {
    return with(draft -> draft.timestampMicros = newTimestampMicros);
  }

  public QueryOptions withKeyspace(String newKeyspace) {
    return with(draft -> draft.keyspace = newKeyspace);
  }

  public QueryOptions withNowInSeconds(int newNowInSeconds) {
    return with(draft -> draft.nowInSeconds = newNowInSeconds);
  }

  public QueryOptions withTracing() {
    return with(draft -> draft.tracing = true);
  }

  public QueryOptions withPayload(Map<String, byte[]> newPayload) {
    return with(draft -> draft.payload = newPayload);
  }

  void write(BodyWriter out, int version) {
    int flags =
        (values.isEmpty() ? 0 : 0x01)
            | (skipMetadata ? 0x02 : 0)
            | (pageSize != null ? 0x04 : 0)
            | (pagingState != null ? 0x08 : 0)
            | (serialConsistency != null ? 0x10 : 0)
            | (timestampMicros != null ? 0x20 : 0)
            | (names != null ? 0x40 : 0)
            | (keyspace != null && version >= 5 ? 0x80 : 0)
            | (nowInSeconds != null && version >= 5 ? 0x100 : 0);
    out.putShort(consistency);
    if (version >= 5) {
      out.putInt(flags);
    } else {
      out.putByte(flags);
    }
    if (!values.isEmpty()) {
      writeValues(out, values, names);
    }
    if (pageSize != null) {
      out.putInt(pageSize);
    }
    if (pagingState != null) {
      out.putBytes(pagingState);
    }
    if (serialConsistency != null) {
      out.putShort(serialConsistency);
    }
    if (timestampMicros != null) {
      out.putLong(timestampMicros);
    }
    if (keyspace != null && version >= 5) {
      out.putString(keyspace);
    }
    if (nowInSeconds != null && version >= 5) {
      out.putInt(nowInSeconds);
    }
  }

  @SuppressWarnings("ReferenceEquality")
  static void writeValues(
      BodyWriter out, List<byte @Nullable []> values, @Nullable List<String> names) {
    out.putShort(values.size());
    for (int i = 0; i < values.size(); i++) {
      if (names != null) {
        out.putString(names.get(i));
      }
      byte[] value = values.get(i);
      if (value == UNSET) {
        out.putInt(-2);
      } else {
        out.putBytes(value);
      }
    }
  }
}
