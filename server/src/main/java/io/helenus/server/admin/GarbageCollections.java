package io.helenus.server.admin;

/**
 * What the garbage collector has done in a period. Times are in milliseconds. Values that are not
 * known, because nobody listened, are NaN.
 *
 * @param intervalMillis length of the period
 * @param maxMillis the longest collection
 * @param totalMillis all of them
 * @param deviationMillis the standard deviation of their lengths
 * @param reclaimedBytes what they have freed
 * @param directBytes native memory that is in use now
 */
public record GarbageCollections(
    long intervalMillis,
    double maxMillis,
    long totalMillis,
    double deviationMillis,
    double reclaimedBytes,
    long collections,
    long directBytes) {}
