/**
 * The command line tool {@code nodetool}: a short-lived process that parses a command, sends it to
 * the administration endpoint of a node and prints the answer.
 */
@NullMarked
package io.helenus.server.nodetool;

import org.jspecify.annotations.NullMarked;
