package io.helenus.server.client;

import java.util.List;
import java.util.Map;
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

  public QueryOptions withConsistency(int newConsistency) {
    return new QueryOptions(
        newConsistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withValues(List<byte @Nullable []> newValues) {
    return new QueryOptions(
        consistency,
        newValues,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withNames(List<String> newNames) {
    return new QueryOptions(
        consistency,
        values,
        newNames,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withSkipMetadata() {
    return new QueryOptions(
        consistency,
        values,
        names,
        true,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withPage(@Nullable Integer newPageSize, byte @Nullable [] newPagingState) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        newPageSize,
        newPagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withSerialConsistency(int newSerialConsistency) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        newSerialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withTimestamp(long newTimestampMicros) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        newTimestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withKeyspace(String newKeyspace) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        newKeyspace,
        nowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withNowInSeconds(int newNowInSeconds) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        newNowInSeconds,
        tracing,
        payload);
  }

  public QueryOptions withTracing() {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        true,
        payload);
  }

  public QueryOptions withPayload(Map<String, byte[]> newPayload) {
    return new QueryOptions(
        consistency,
        values,
        names,
        skipMetadata,
        pageSize,
        pagingState,
        serialConsistency,
        timestampMicros,
        keyspace,
        nowInSeconds,
        tracing,
        newPayload);
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
