/**
 * The errors a request can end with: one record per code of the native protocol (v5, section 9),
 * with that code's fields. The lowest package of the server: every other one may throw {@link
 * io.helenus.server.error.CqlException}; only {@code protocol} encodes it.
 */
@NullMarked
package io.helenus.server.error;

import org.jspecify.annotations.NullMarked;
