/**
 * Bytes: the one type of bytes that crosses the doors of storage, a slice of a native {@link
 * java.lang.foreign.MemorySegment} given as segment, offset and length, with its writer, its
 * varints, checksums, compression, hashing and bloom filter.
 *
 * <p>Entry classes: {@link io.helenus.storage.bytes.ByteWriter} and {@link
 * io.helenus.storage.bytes.Bytes}. Imports nothing of Helenus. Everything is big endian, so that
 * unsigned comparison of bytes is comparison of numbers.
 */
@NullMarked
package io.helenus.storage.bytes;

import org.jspecify.annotations.NullMarked;
