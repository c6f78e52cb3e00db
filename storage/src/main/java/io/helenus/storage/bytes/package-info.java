/**
 * Slices of native memory, the only representation of bytes in the API of storage: a {@link
 * java.lang.foreign.MemorySegment}, an offset and a length. Also a writer, varints, checksums,
 * compression, hashing, the tokens of partition keys and a Bloom filter.
 *
 * <p>Entry classes: {@link io.helenus.storage.bytes.ByteWriter} and {@link
 * io.helenus.storage.bytes.Bytes}. Imports no other package of Helenus. Numbers are big endian, so
 * that the unsigned order of their bytes is the order of unsigned numbers.
 */
@NullMarked
package io.helenus.storage.bytes;

import org.jspecify.annotations.NullMarked;
