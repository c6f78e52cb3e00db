/**
 * Several nodes in one thread, from a seed: one virtual time, a clock, event loops, a disk and
 * random bits for each node, and a network of byte streams that delays, stalls, breaks and cuts.
 * Runs of clients that read and write at consistency levels are judged by a model of what each
 * replica may have. Entry classes: {@code ClusterSimulationTest}, and {@code SimClusterTest} for
 * the harness itself.
 */
@NullMarked
package io.helenus.server.simulation.cluster;

import org.jspecify.annotations.NullMarked;
