/**
 * Slices of native memory, the only representation of bytes in the API of storage: a {@link
 * java.lang.foreign.MemorySegment}, an offset and a length. With a writer, varints, checksums,
 * compression, hashing and a Bloom filter.
 *
 * <p>Entry classes: {@link io.helenus.storage.bytes.ByteWriter} and {@link
 * io.helenus.storage.bytes.Bytes}. Imports nothing of Helenus. Everything is big endian, so that
 * comparing bytes as unsigned compares numbers.
 */
@NullMarked
package io.helenus.storage.bytes;

import org.jspecify.annotations.NullMarked;
