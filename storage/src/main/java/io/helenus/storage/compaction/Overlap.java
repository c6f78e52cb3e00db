package io.helenus.storage.compaction;

/**
 * What a compaction knows of a file that is not among its inputs. The arrays are not changed.
 *
 * @param smallestKey whole key
 * @param largestKey whole key
 * @param smallestTimestamp of anything in it
 */
record Overlap(byte[] smallestKey, byte[] largestKey, long smallestTimestamp) {}
