package io.helenus.server.query.prepared;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement. Its id is the MD5 of keyspace and text, as Cassandra's, so it is the same
 * on every node and after a restart; where the text itself names the keyspace, of the text alone.
 * Any thread; a shard that plans it again under a newer schema may do so beside another.
 */
public final class PreparedStatement {
  private static final int OVERHEAD_BYTES = 4096;

  private final long idHigh;
  private final long idLow;
  private final String text;
  private final int sizeBytes;
  private volatile CompiledStatement compiled;
  private volatile boolean evicted;

  /** Whether it was used since eviction last looked. Written by all shards, without order. */
  private boolean used = true;

  public PreparedStatement(byte[] id, String text, CompiledStatement compiled) {
    ByteBuffer bytes = ByteBuffer.wrap(id);
    this.idHigh = bytes.getLong();
    this.idLow = bytes.getLong();
    this.text = text;
    this.sizeBytes = OVERHEAD_BYTES + 8 * text.length();
    this.compiled = compiled;
  }

  /** The id of a text prepared in a keyspace. */
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

  /** The statement as it was prepared. */
  public String text() {
    return text;
  }

  /** What it takes in the cache, about. */
  int sizeBytes() {
    return sizeBytes;
  }

  public CompiledStatement compiled() {
    return compiled;
  }

  public void compiled(CompiledStatement newer) {
    compiled = newer;
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

  /** Whether it was used; forgets that. */
  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }
}
