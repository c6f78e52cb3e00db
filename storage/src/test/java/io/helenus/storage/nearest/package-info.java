/** Tests of the parts of a read of nearest rows. */
@NullMarked
package io.helenus.storage.nearest;

import org.jspecify.annotations.NullMarked;
