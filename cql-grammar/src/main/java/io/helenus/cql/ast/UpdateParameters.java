package io.helenus.cql.ast;

import org.jspecify.annotations.Nullable;

/**
 * USING TIMESTAMP and TTL.
 *
 * @param timestamp microseconds: an integer literal or a marker; null when not written
 * @param timeToLive seconds: an integer literal or a marker; null when not written
 */
public record UpdateParameters(@Nullable Term timestamp, @Nullable Term timeToLive) {
  /** No USING. */
  public static final UpdateParameters NONE = new UpdateParameters(null, null);
}
