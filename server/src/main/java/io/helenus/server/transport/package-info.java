/**
 * Clients' connections: Netty 4.2 channels on the event loops of the shards. It copies bytes
 * between sockets and the {@link io.helenus.server.protocol.Conversation} of each connection, keeps
 * the limits, and sends what has been gathered once a tick, after the shard has written its log.
 *
 * <p>Entry class: {@link io.helenus.server.transport.ClientTransport}. May import {@code protocol},
 * {@code error}, {@code storage.bytes} and Netty.
 */
@NullMarked
package io.helenus.server.transport;

import org.jspecify.annotations.NullMarked;
