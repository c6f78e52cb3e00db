/**
 * The native protocol, versions 3, 4 and 5, as pure codecs: bytes in a {@link
 * java.lang.foreign.MemorySegment} to requests, answers to bytes in a {@link
 * io.helenus.storage.bytes.ByteWriter}. It opens no socket and reads no clock; the same code serves
 * {@code transport}, the simulation and the fuzz tests.
 *
 * <p>Entry classes: {@link io.helenus.server.protocol.RequestHandler} (what a request is handed
 * to), {@link io.helenus.server.protocol.Responses} (the bodies of answers) and {@link
 * io.helenus.server.protocol.Conversation} (one connection's state from its first byte on). The
 * layouts are those of the public specifications native_protocol_v3, v4 and v5; behaviour that they
 * leave open was asked of Apache Cassandra 5.0.
 *
 * <p>May import {@code error}, {@code types}, {@code storage.bytes}; Netty for its Snappy codec
 * only.
 */
@NullMarked
package io.helenus.server.protocol;

import org.jspecify.annotations.NullMarked;
