package io.helenus.server.schema;

import io.helenus.server.ring.TokenRing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the validation of a definition statement depends on besides the schema.
 *
 * @param keyspaceInUse of the request or the session; null for none
 * @param newTableId the id that a new table gets, a version 1 UUID
 * @param newStorageId the storage id that a new table gets
 * @param nowMicros the timestamp of drops without one
 * @param ring the nodes of the cluster
 */
public record SchemaContext(
    @Nullable String keyspaceInUse,
    UUID newTableId,
    int newStorageId,
    long nowMicros,
    TokenRing ring) {}
