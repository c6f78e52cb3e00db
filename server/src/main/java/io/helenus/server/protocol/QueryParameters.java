package io.helenus.server.protocol;

import io.helenus.server.ring.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * What comes with a QUERY, an EXECUTE or a BATCH beside the statement (native protocol v5, section
 * 4.1.4). A flyweight filled again for each request: good until the request's handler returns. One
 * thread.
 */
public final class QueryParameters {
  /** The client gave no timestamp. It may give any number but this. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /** The client gave no clock reading. */
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

  /** Everything as if the client had given nothing but a consistency. */
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

  /** The bound values; for a BATCH they stand with its statements instead. */
  public BoundValues values() {
    return values;
  }

  /** The consistency level asked for. */
  public ConsistencyLevel consistency() {
    return consistency;
  }

  /** Whether the client does without the columns' names and types in the answer. */
  public boolean skipMetadata() {
    return skipMetadata;
  }

  /** How many rows a page may have; negative: no paging. Never 0 but in a BATCH. */
  public int pageSize() {
    return pageSize;
  }

  /** Where the paging state starts in the segment of {@link #values}. */
  public int pagingStateOffset() {
    return pagingStateOffset;
  }

  /** The paging state's length in bytes, -1 when there is none. */
  public int pagingStateLength() {
    return pagingStateLength;
  }

  /** The level of the Paxos rounds; SERIAL when the client does not say. */
  public ConsistencyLevel serialConsistency() {
    return serialConsistency;
  }

  /** The write timestamp in microseconds, {@link #NO_TIMESTAMP} when the client gives none. */
  public long timestampMicros() {
    return timestampMicros;
  }

  /** The keyspace that this request alone is for (v5), null when it is the session's. */
  public @Nullable String keyspace() {
    return keyspace;
  }

  /** The time that the client says it is, in seconds (v5), or {@link #NO_NOW_IN_SECONDS}. */
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
