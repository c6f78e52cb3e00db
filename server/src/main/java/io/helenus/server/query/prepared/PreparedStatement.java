package io.helenus.server.query.prepared;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement. Its id is computed as in Cassandra and is the same on every node and after
 * a restart: the MD5 of keyspace and text, or of the text only if all its names are qualified. Any
 * thread; after a schema change, several shards may plan it again concurrently.
 */
public final class PreparedStatement {
  private static final int OVERHEAD_BYTES = 4096;

  private final long idHigh;
  private final long idLow;
  private final String text;
  private final int sizeBytes;
  private volatile CompiledStatement compiled;
  private volatile boolean evicted;
  private final AtomicInteger counted = new AtomicInteger();

  /**
   * Whether it was used since the clock hand last passed. Set by all shards; the data race is
   * benign.
   */
  private boolean used = true;

  /** Creates a statement with this 16-byte id. */
  public PreparedStatement(byte[] id, String text, CompiledStatement compiled) {
    ByteBuffer bytes = ByteBuffer.wrap(id);
    this.idHigh = bytes.getLong();
    this.idLow = bytes.getLong();
    this.text = text;
    this.sizeBytes = OVERHEAD_BYTES + 8 * text.length();
    this.compiled = compiled;
  }

  /**
   * Computes the 16-byte id of a statement.
   *
   * @param keyspace the keyspace in use; null if there is none
   * @param qualified whether all names in the text are qualified
   */
  public static byte[] id(String text, @Nullable String keyspace, boolean qualified) {
    String hashed = keyspace == null || qualified ? text : keyspace + text;
    try {
      return MessageDigest.getInstance("MD5").digest(hashed.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  long idHigh() {
    return idHigh;
  }

  long idLow() {
    return idLow;
  }

  /** The text of the statement. */
  public String text() {
    return text;
  }

  /** The approximate size in memory. */
  int sizeBytes() {
    return sizeBytes;
  }

  /** The latest plan; the caller compares its epoch with the schema's. */
  public CompiledStatement compiled() {
    return compiled;
  }

  /** Replaces the plan after a schema change. */
  public void compiled(CompiledStatement newer) {
    compiled = newer;
  }

  /**
   * Counts an execution up to a number of them.
   *
   * @return whether that number has just been reached
   */
  public boolean countsTo(int executions) {
    return counted.get() < executions && counted.incrementAndGet() == executions;
  }

  /** Goes on counting where the same statement was, which this one replaces. */
  void countFrom(PreparedStatement before) {
    counted.set(before.counted.get());
  }

  boolean isEvicted() {
    return evicted;
  }

  void evict() {
    evicted = true;
  }

  void touch() {
    if (!used) {
      used = true;
    }
  }

  /** Returns whether it was used since the last call, and clears the mark. */
  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }
}
