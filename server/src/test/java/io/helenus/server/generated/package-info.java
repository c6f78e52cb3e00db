/**
 * Generators of random CQL: types, tables, indexes, views, values, statements and their mistakes.
 *
 * <p>Purpose: the statements that {@code differential} sends to two servers. The same {@link
 * io.helenus.server.generated.Choices} yield the same statements, so that a seed can be repeated.
 * Each class named {@code Generated…} makes one kind of statement or part of it for a {@link
 * io.helenus.server.generated.GeneratedTable}.
 *
 * <p>Imports allowed: the JDK and {@code conformance}, for literals, types and scripts.
 */
@NullMarked
package io.helenus.server.generated;

import org.jspecify.annotations.NullMarked;
