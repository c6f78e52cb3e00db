/** Tests of the built server, run as a process of {@code bin/helenus}. */
@NullMarked
package io.helenus.server.process;

import org.jspecify.annotations.NullMarked;
