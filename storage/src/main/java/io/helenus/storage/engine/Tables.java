package io.helenus.storage.engine;

import java.util.Collection;

/**
 * The existing tables as of a metadata epoch. Immutable.
 *
 * @param epoch of the metadata log
 * @param live the existing tables
 * @param lastTableId the largest id ever assigned: a smaller one that is not live was dropped, a
 *     larger one is unknown
 */
public record Tables(long epoch, Collection<TableDescriptor> live, int lastTableId) {}
