package io.helenus.server.transport;

import io.helenus.server.protocol.RequestHandler;
import io.netty.channel.IoEventLoop;

/**
 * One shard as the transport sees it.
 *
 * @param loop its event loop, on which its connections live
 * @param handler what answers the requests of these connections
 * @param tickEnd when answers may leave
 */
public record ShardDoor(IoEventLoop loop, RequestHandler handler, TickEnd tickEnd) {}
