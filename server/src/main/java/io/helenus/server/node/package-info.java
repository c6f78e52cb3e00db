/**
 * A node without sockets: builds all objects through constructors, starts them, and stops them in
 * reverse order. Entry class: {@link io.helenus.server.node.Node}. It creates neither threads nor
 * clocks; the process or a simulation passes them in as its {@link io.helenus.server.node.World}.
 */
@NullMarked
package io.helenus.server.node;

import org.jspecify.annotations.NullMarked;
