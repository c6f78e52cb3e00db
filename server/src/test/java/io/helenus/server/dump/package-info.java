/** Tests of {@code helenus dump} on intact and damaged files of a real node. */
@NullMarked
package io.helenus.server.dump;

import org.jspecify.annotations.NullMarked;
