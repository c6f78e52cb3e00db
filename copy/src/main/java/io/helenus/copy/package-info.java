/**
 * The command {@code helenus copy}: copies keyspaces between clusters that speak CQL and compares
 * them. The packages, each of which uses only those before it: cluster, rows, schema, compare,
 * work.
 */
@NullMarked
package io.helenus.copy;

import org.jspecify.annotations.NullMarked;
