package io.helenus.server.coordinator;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.bytes.ByteWriter;

/**
 * One partition's part of a batch.
 *
 * @param mutation in storage's encoding; belongs to the coordinator once handed over
 */
public record PartitionWrite(KeyspaceSchema keyspace, long token, ByteWriter mutation) {}
