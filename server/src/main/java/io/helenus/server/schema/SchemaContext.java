package io.helenus.server.schema;

import io.helenus.server.ring.TokenRing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The inputs for the validation of a schema statement other than the schema itself.
 *
 * @param keyspaceInUse the current keyspace of the request or session; null for none
 * @param newTableId the id for a new table, a version 1 UUID
 * @param newStorageId the storage id for a new table
 * @param nowMicros the timestamp of column drops without one, in microseconds since 1970
 * @param ring the nodes of the cluster
 * @param masks resolves the masks of columns; null if dynamic data masking is disabled
 */
public record SchemaContext(
    @Nullable String keyspaceInUse,
    UUID newTableId,
    int newStorageId,
    long nowMicros,
    TokenRing ring,
    @Nullable MaskCompiler masks) {}
