package io.helenus.server.internode;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.memory.SegmentSource;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the links of a node need of it. The parts are used on the threads of all shards.
 *
 * @param network the streams
 * @param memory supplies buffers. If it refuses memory for what arrives, the link is closed; a
 *     refusal of memory for what is sent reaches the sender as the exception of the source.
 * @param self what this node says about itself when a link begins
 * @param digestVersion the newest version of digests that this node computes
 * @param check decides whether to talk to a node
 * @param lastTimestamp the last server timestamp of this node, in microseconds since 1970
 * @param timestampHeard is given such timestamps of others, at most 60 s beyond the wall clock
 * @param epoch the last entry of the metadata log that this node has applied
 */
public record LinkEnvironment(
    Network network,
    Clock clock,
    Randomness randomness,
    SegmentSource memory,
    LinkSettings settings,
    Supplier<NodeIdentity> self,
    int digestVersion,
    HandshakeCheck check,
    LongSupplier lastTimestamp,
    LongConsumer timestampHeard,
    LongSupplier epoch) {}
