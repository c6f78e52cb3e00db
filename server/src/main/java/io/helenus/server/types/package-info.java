/**
 * CQL types: their names, option ids and class names, the validation of wire bytes, literals to
 * wire bytes and back to text, and the order-preserving bytes of keys.
 *
 * <p>Entry classes: {@link io.helenus.server.types.CqlType}, {@link
 * io.helenus.server.types.ScalarType}, {@link io.helenus.server.types.KeyEncoding}. Imports {@code
 * error}, and of storage {@code bytes} and {@code row}. Everything is stateless or immutable; any
 * thread.
 */
@NullMarked
package io.helenus.server.types;

import org.jspecify.annotations.NullMarked;
