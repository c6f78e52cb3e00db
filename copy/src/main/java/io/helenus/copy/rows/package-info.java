/**
 * Rows as bytes of the protocol: read by token range with write times and TTLs, and turned into the
 * statements that write the same cells.
 */
@NullMarked
package io.helenus.copy.rows;

import org.jspecify.annotations.NullMarked;
