package io.helenus.server.transport;

import io.helenus.server.protocol.RequestHandler;
import io.helenus.storage.env.FatalErrors;
import io.netty.channel.IoEventLoop;

/**
 * A shard as the transport uses it. Immutable.
 *
 * @param loop the event loop of its connections
 * @param handler handles the requests of these connections
 * @param tickEnd schedules the sending of output
 * @param fatal the handler for unexpected exceptions
 */
public record TransportShard(
    IoEventLoop loop, RequestHandler handler, TickEnd tickEnd, FatalErrors fatal) {}
