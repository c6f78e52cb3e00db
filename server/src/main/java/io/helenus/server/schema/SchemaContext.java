package io.helenus.server.schema;

import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a definition statement is judged against besides the schema.
 *
 * @param keyspaceInUse of the request or the session; null when none is
 * @param newTableId the id that a new table gets, a version 1 UUID
 * @param newStorageId the storage id that a new table gets
 * @param nowMicros the timestamp of drops that say none
 * @param nodesByDataCenter how many nodes each data centre has
 * @param localDataCenter the data centre of this node
 */
public record SchemaContext(
    @Nullable String keyspaceInUse,
    UUID newTableId,
    int newStorageId,
    long nowMicros,
    SortedMap<String, Integer> nodesByDataCenter,
    String localDataCenter) {}
