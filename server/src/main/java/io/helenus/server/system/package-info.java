/**
 * The system keyspaces: their definitions, recorded from Apache Cassandra 5.0.9, and the tables
 * whose rows are computed when they are read (system, system_schema, system_views,
 * system_virtual_schema).
 *
 * <p>Entry classes: {@link io.helenus.server.system.SystemKeyspaces} for the definitions, {@link
 * io.helenus.server.system.SystemTables} for the rows. Imports {@code types}, {@code ring}, {@code
 * schema}, {@code metadata}, {@code VirtualTables} of {@code coordinator}, and of storage {@code
 * bytes}, {@code row} and the requests and sinks of {@code engine}; facts about the node are
 * provided through {@link io.helenus.server.system.NodeFacts}, those about other members through
 * {@link io.helenus.server.system.ClusterFacts}. What tables and commands show of several nodes is
 * a function of {@link io.helenus.server.system.ClusterView}.
 */
@NullMarked
package io.helenus.server.system;

import org.jspecify.annotations.NullMarked;
