package io.helenus.server.cluster;

/**
 * Where a member was reached in one of its lives. Immutable.
 *
 * @param node where other nodes reach it
 * @param client where clients reach it
 * @param life the life in which it said so; {@link #HINT} if that is not known, as in the metadata
 *     log
 */
public record MemberAddress(Endpoint node, Endpoint client, long life) {
  /** Less than every life. */
  public static final long HINT = 0;

  boolean samePlaces(MemberAddress other) {
    return node.equals(other.node) && client.equals(other.client);
  }
}
