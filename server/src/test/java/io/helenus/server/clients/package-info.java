/**
 * Real clients against a real server: drivers and cqlsh as their users install them.
 *
 * <p>Purpose: when drivers connect, prepare, page and listen for events, they rely on more than the
 * specification says. Each test sets its client up under {@code target/} through the client's own
 * package manager, starts a server (see {@link io.helenus.server.clients.ServerAddress}; or uses
 * the one given by {@code -Dclients.address=HOST:PORT}) and runs a script against it.
 *
 * <p>Imports allowed: the JDK, JUnit, the Java driver, and {@code io.helenus.server.process} for
 * the server, but nothing from the server itself.
 */
@NullMarked
package io.helenus.server.clients;

import org.jspecify.annotations.NullMarked;
