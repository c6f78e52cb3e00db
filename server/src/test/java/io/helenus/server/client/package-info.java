/**
 * A small blocking client of the native protocol (versions 3, 4 and 5) for tests. It is implemented
 * independently of the main code, so as not to share its bugs, and imports nothing from it.
 *
 * <p>Entry class: {@link io.helenus.server.client.CqlClient}.
 */
@NullMarked
package io.helenus.server.client;

import org.jspecify.annotations.NullMarked;
