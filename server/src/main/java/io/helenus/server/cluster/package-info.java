/**
 * How nodes become one cluster and stay in touch: who is alive, forming a cluster from a list of
 * seeds, and where members are reached. Pure machines: events and times in, actions out; no clock,
 * threads or sockets.
 *
 * <p>Entry classes: {@link io.helenus.server.cluster.Forming}, {@link
 * io.helenus.server.cluster.Admission}, {@link io.helenus.server.cluster.AddressBook}, {@link
 * io.helenus.server.cluster.FailureDetector}. Imports of storage {@code bytes}.
 */
@NullMarked
package io.helenus.server.cluster;

import org.jspecify.annotations.NullMarked;
