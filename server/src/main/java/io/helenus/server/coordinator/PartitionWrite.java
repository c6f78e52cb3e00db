package io.helenus.server.coordinator;

import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.storage.bytes.ByteWriter;

/**
 * The part of a batch that writes to one partition.
 *
 * @param mutation in storage's encoding; owned by the coordinator once handed over
 */
public record PartitionWrite(KeyspaceProperties keyspace, long token, ByteWriter mutation) {}
