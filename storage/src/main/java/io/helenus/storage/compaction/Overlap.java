package io.helenus.storage.compaction;

/**
 * The key range and the smallest timestamp of a file that is not an input of a compaction. The
 * arrays must not be changed.
 *
 * @param smallestKey the first key, complete
 * @param largestKey the last key, complete
 * @param smallestTimestamp of all data in the file, in microseconds
 */
record Overlap(byte[] smallestKey, byte[] largestKey, long smallestTimestamp) {}
