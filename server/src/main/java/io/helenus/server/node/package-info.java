/**
 * Builds all objects through constructors, starts them, and stops them in reverse order. Entry
 * class: {@link io.helenus.server.node.Main}. May import every package and is imported by none.
 * Threads and clocks are created only here and in storage's real environment.
 */
@NullMarked
package io.helenus.server.node;

import org.jspecify.annotations.NullMarked;
