package io.helenus.server.transport;

import io.helenus.server.protocol.RequestHandler;
import io.netty.channel.IoEventLoop;

/**
 * One shard, as seen by the transport.
 *
 * @param loop the event loop of its connections
 * @param handler handles the requests of these connections
 * @param tickEnd says when output may be sent
 */
public record ShardDoor(IoEventLoop loop, RequestHandler handler, TickEnd tickEnd) {}
