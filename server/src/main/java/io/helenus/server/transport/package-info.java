/**
 * Client connections: Netty 4.2 channels on the event loops of the shards. Copies bytes between the
 * sockets and the {@link io.helenus.server.protocol.Conversation} of each connection, enforces the
 * limits, and sends the output once per tick, after the shard has written its commit log.
 *
 * <p>Entry class: {@link io.helenus.server.transport.ClientTransport}. May import {@code protocol},
 * {@code error}, {@code storage.bytes} and Netty.
 */
@NullMarked
package io.helenus.server.transport;

import org.jspecify.annotations.NullMarked;
