/** Compares the rows of both sides. */
@NullMarked
package io.helenus.copy.compare;

import org.jspecify.annotations.NullMarked;
