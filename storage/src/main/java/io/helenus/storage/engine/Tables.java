package io.helenus.storage.engine;

import java.util.Collection;

/**
 * The tables that exist as of one metadata epoch. Immutable.
 *
 * @param epoch of the metadata log
 * @param live the tables that exist
 * @param lastTableId the largest id ever given out: a smaller one that is not live was dropped, a
 *     larger one is unknown
 */
public record Tables(long epoch, Collection<TableDescriptor> live, int lastTableId) {}
