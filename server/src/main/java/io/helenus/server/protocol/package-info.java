/**
 * Versions 3, 4 and 5 of the native protocol, as pure codecs: from bytes in a {@link
 * java.lang.foreign.MemorySegment} to requests, and from responses to bytes in a {@link
 * io.helenus.storage.bytes.ByteWriter}. Uses neither sockets nor clocks, so that {@code transport},
 * the simulation and the fuzz tests use the same code.
 *
 * <p>Entry classes: {@link io.helenus.server.protocol.Conversation} (the state of one connection),
 * {@link io.helenus.server.protocol.RequestHandler} (handles its requests) and {@link
 * io.helenus.server.protocol.Responses} (the bodies of responses). The layouts follow the public
 * specifications native_protocol_v3, v4 and v5; where these leave behaviour open, it follows Apache
 * Cassandra 5.0.
 *
 * <p>May import {@code error}, {@code types}, {@code storage.bytes}; Netty for its Snappy codec
 * only.
 */
@NullMarked
package io.helenus.server.protocol;

import org.jspecify.annotations.NullMarked;
