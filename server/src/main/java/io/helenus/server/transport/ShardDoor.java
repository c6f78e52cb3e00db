package io.helenus.server.transport;

import io.helenus.server.protocol.RequestHandler;
import io.helenus.storage.env.FatalErrors;
import io.netty.channel.IoEventLoop;

/**
 * One shard, as seen by the transport.
 *
 * @param loop the event loop of its connections
 * @param handler handles the requests of these connections
 * @param tickEnd says when output may be sent
 * @param fatal the rule for unexpected exceptions
 */
public record ShardDoor(
    IoEventLoop loop, RequestHandler handler, TickEnd tickEnd, FatalErrors fatal) {}
