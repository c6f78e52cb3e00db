package io.helenus.server.protocol;

import io.helenus.server.ring.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a QUERY, EXECUTE or BATCH (native protocol v5, section 4.1.4). A flyweight that
 * is refilled for each request: valid until the request's handler returns. Not thread-safe.
 */
public final class QueryParameters {
  /** No timestamp; the protocol does not allow this value as a timestamp. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /** No current time given by the client. */
  public static final int NO_NOW_IN_SECONDS = Integer.MIN_VALUE;

  private final BoundValues values = new BoundValues();
  private ConsistencyLevel consistency = ConsistencyLevel.ONE;
  private boolean skipMetadata;
  private int pageSize = -1;
  private int pagingStateOffset;
  private int pagingStateLength = -1;
  private ConsistencyLevel serialConsistency = ConsistencyLevel.SERIAL;
  private long timestampMicros = NO_TIMESTAMP;
  private @Nullable String keyspace;
  private int nowInSeconds = NO_NOW_IN_SECONDS;

  /** Sets the consistency level and resets everything else to its default. */
  public void reset(ConsistencyLevel level) {
    values.begin(values.segment());
    consistency = level;
    skipMetadata = false;
    pageSize = -1;
    pagingStateOffset = 0;
    pagingStateLength = -1;
    serialConsistency = ConsistencyLevel.SERIAL;
    timestampMicros = NO_TIMESTAMP;
    keyspace = null;
    nowInSeconds = NO_NOW_IN_SECONDS;
  }

  /** The bound values; those of a BATCH belong to its statements instead. */
  public BoundValues values() {
    return values;
  }

  /** The requested consistency level. */
  public ConsistencyLevel consistency() {
    return consistency;
  }

  /** Whether the client does not need the result's column names and types. */
  public boolean skipMetadata() {
    return skipMetadata;
  }

  /** The page size in rows; negative for no paging. Can be 0 in a BATCH only. */
  public int pageSize() {
    return pageSize;
  }

  /** The offset of the paging state in the segment of {@link #values}. */
  public int pagingStateOffset() {
    return pagingStateOffset;
  }

  /** The length of the paging state in bytes; -1 if there is none. */
  public int pagingStateLength() {
    return pagingStateLength;
  }

  /** The consistency level of Paxos rounds; SERIAL by default. */
  public ConsistencyLevel serialConsistency() {
    return serialConsistency;
  }

  /** The write timestamp in microseconds, or {@link #NO_TIMESTAMP}. */
  public long timestampMicros() {
    return timestampMicros;
  }

  /** The keyspace of this request (v5); null for the keyspace of the session. */
  public @Nullable String keyspace() {
    return keyspace;
  }

  /** The current time as given by the client, in seconds (v5), or {@link #NO_NOW_IN_SECONDS}. */
  public int nowInSeconds() {
    return nowInSeconds;
  }

  /** Sets {@link #skipMetadata}. */
  public void skipMetadata(boolean skip) {
    skipMetadata = skip;
  }

  /** Sets {@link #pageSize}. */
  public void pageSize(int rows) {
    pageSize = rows;
  }

  /** Sets the paging state, a slice of the segment of {@link #values}; length -1: none. */
  public void pagingState(int offset, int length) {
    pagingStateOffset = offset;
    pagingStateLength = length;
  }

  /** Sets {@link #serialConsistency}. */
  public void serialConsistency(ConsistencyLevel level) {
    serialConsistency = level;
  }

  /** Sets {@link #timestampMicros}. */
  public void timestampMicros(long micros) {
    timestampMicros = micros;
  }

  /** Sets {@link #keyspace}. */
  public void keyspace(@Nullable String name) {
    keyspace = name;
  }

  /** Sets {@link #nowInSeconds}. */
  public void nowInSeconds(int seconds) {
    nowInSeconds = seconds;
  }
}
