/**
 * The administration endpoint: HTTP on the event loop of the first shard, for commands with a token
 * and for the health of the node without one. Nothing but its listening socket exists until the
 * first connection.
 */
@NullMarked
package io.helenus.server.admin;

import org.jspecify.annotations.NullMarked;
