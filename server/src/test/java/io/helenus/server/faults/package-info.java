/** Tests of faults that a node must survive, with the real process. */
@NullMarked
package io.helenus.server.faults;

import org.jspecify.annotations.NullMarked;
