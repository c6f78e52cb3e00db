/** What {@code helenus dump} prints of the files of a real node, whole and damaged. */
@NullMarked
package io.helenus.server.dump;

import org.jspecify.annotations.NullMarked;
