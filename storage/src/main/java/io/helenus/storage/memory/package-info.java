/**
 * The native memory of a node: pools that reuse it and return to the system what is free, and the
 * shares of the node's memory budget that limit and count what is taken. Entry class: {@link
 * io.helenus.storage.memory.NodeMemory}. Imports nothing.
 */
@NullMarked
package io.helenus.storage.memory;

import org.jspecify.annotations.NullMarked;
