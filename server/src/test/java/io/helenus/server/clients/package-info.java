/**
 * Real clients against a real server: drivers and cqlsh as their users install them.
 *
 * <p>Purpose: what a driver asks when it connects, prepares, pages and listens is more than one
 * reads in a specification. Each test sets its client up under {@code target/} through the client's
 * own package manager, starts a server ({@link io.helenus.server.clients.ServerAddress}; or takes
 * the one that {@code -Dclients.address=HOST:PORT} names) and runs a script against it.
 *
 * <p>Imports allowed: the JDK, JUnit, the Java driver, and {@code io.helenus.server.process} for
 * the server. Nothing of the server itself.
 */
@NullMarked
package io.helenus.server.clients;

import org.jspecify.annotations.NullMarked;
