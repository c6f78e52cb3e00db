/**
 * The metadata log and the state resulting from it: identity, topology, schema.
 *
 * <p>Entry classes: {@link io.helenus.server.metadata.Metadata}, through which the schema is read
 * and changed; {@link io.helenus.server.metadata.MetadataLog}, whose entries the voters of the
 * cluster decide, {@link io.helenus.server.metadata.ReplicatedMetadataLog}, and each node's copy in
 * files, {@link io.helenus.server.metadata.LocalMetadataLog} (docs/metadata-log.md); {@link
 * io.helenus.server.metadata.ClusterState}, immutable, a pure function of a prefix of the log.
 * {@link io.helenus.server.metadata.TimestampReservation} keeps server timestamps increasing across
 * restarts. Imports {@code consensus}, {@code error}, {@code types}, {@code ring}, {@code schema},
 * the statements of {@code cql.ast}, and of storage {@code bytes}, {@code env} and {@code engine}
 * (table descriptors).
 */
@NullMarked
package io.helenus.server.metadata;

import org.jspecify.annotations.NullMarked;
