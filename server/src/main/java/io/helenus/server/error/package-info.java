/**
 * The errors that a client can be told, one record a kind, with the fields the native protocol
 * gives each (native protocol v5, section 9). The lowest room of the server: every other room may
 * raise {@link io.helenus.server.error.CqlException}; only {@code protocol} encodes it.
 */
@NullMarked
package io.helenus.server.error;

import org.jspecify.annotations.NullMarked;
