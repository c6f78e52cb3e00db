/**
 * CQL types: their names, option ids and class names, validation of wire bytes, conversion between
 * wire bytes and literals, and order-preserving key encodings.
 *
 * <p>Entry classes: {@link io.helenus.server.types.CqlType}, {@link
 * io.helenus.server.types.ScalarType}, {@link io.helenus.server.types.KeyEncoding}. Imports {@code
 * error}, and of storage {@code bytes} and {@code row}. Everything is stateless or immutable; any
 * thread.
 */
@NullMarked
package io.helenus.server.types;

import org.jspecify.annotations.NullMarked;
