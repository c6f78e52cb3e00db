package io.helenus.storage.engine;

/**
 * The file of an index with the entries of the rows of one SSTable.
 *
 * @param indexId the index
 * @param sstable the path of the SSTable
 * @param entries number of entries
 * @param sizeBytes size of the file of the index
 * @param smallestToken the token of the first row of the SSTable
 * @param largestToken the token of its last row
 */
public record IndexFile(
    int indexId,
    String sstable,
    long entries,
    long sizeBytes,
    long smallestToken,
    long largestToken) {}
