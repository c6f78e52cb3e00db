/**
 * A small blocking client of the native protocol for tests: versions 3, 4 and 5, written apart from
 * the main code so that it can judge it. It imports nothing of Helenus.
 *
 * <p>Entry class: {@link io.helenus.server.client.CqlClient}.
 */
@NullMarked
package io.helenus.server.client;

import org.jspecify.annotations.NullMarked;
