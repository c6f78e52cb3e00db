package io.helenus.storage.compaction;

/**
 * What a compaction needs to know about a file outside its inputs. The arrays must not be changed.
 *
 * @param smallestKey the first key, complete
 * @param largestKey the last key, complete
 * @param smallestTimestamp of anything in the file
 */
record Overlap(byte[] smallestKey, byte[] largestKey, long smallestTimestamp) {}
