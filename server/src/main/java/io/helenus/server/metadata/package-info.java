/**
 * The metadata log and the state that it yields: identity, topology, schema.
 *
 * <p>Entry classes: {@link io.helenus.server.metadata.Metadata}, which the node wires and through
 * which all definitions change; {@link io.helenus.server.metadata.MetadataLog} with its file form
 * {@link io.helenus.server.metadata.LocalMetadataLog} (docs/metadata-log.md); {@link
 * io.helenus.server.metadata.ClusterState}, immutable, a pure function of a prefix of the log.
 * Beside it {@link io.helenus.server.metadata.TimestampReservation} keeps server timestamps rising
 * across restarts. Imports {@code error}, {@code types}, {@code ring}, {@code schema}, the
 * statements of {@code cql.ast}, and of storage {@code bytes}, {@code env} and what tables are
 * called in {@code engine}.
 */
@NullMarked
package io.helenus.server.metadata;

import org.jspecify.annotations.NullMarked;
