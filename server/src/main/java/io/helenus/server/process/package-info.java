/**
 * The process around a node: the command line, threads, sockets, signals, the administration of the
 * node, and the training runs of the start-up caches. Entry class: {@link
 * io.helenus.server.process.Main}. May import every package and is imported by none. Threads and
 * clocks are created only here and in storage's real environment.
 */
@NullMarked
package io.helenus.server.process;

import org.jspecify.annotations.NullMarked;
