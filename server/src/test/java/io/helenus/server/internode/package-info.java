/** Tests of the links between nodes, and a simulated network for them. */
@NullMarked
package io.helenus.server.internode;

import org.jspecify.annotations.NullMarked;
