/**
 * Data placement: the ring of nodes, replication strategies and the resulting replicas, and the
 * number of replicas that a consistency level waits for. Pure: no clock, no sockets; randomness is
 * passed in.
 *
 * <p>Entry classes: {@link io.helenus.server.ring.TokenRing}, {@link
 * io.helenus.server.ring.ReplicationStrategy}, {@link io.helenus.server.ring.ReplicaMap}. Imports
 * {@code error}, and of storage {@code bytes} and {@code env}.
 */
@NullMarked
package io.helenus.server.ring;

import org.jspecify.annotations.NullMarked;
