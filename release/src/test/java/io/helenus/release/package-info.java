/** Tests of the release archive. */
@NullMarked
package io.helenus.release;

import org.jspecify.annotations.NullMarked;
