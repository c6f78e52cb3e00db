/** The built server as a user starts it: a process of {@code bin/helenus}. */
@NullMarked
package io.helenus.server.process;

import org.jspecify.annotations.NullMarked;
