/** Tests of what a caller of storage hands over. */
@NullMarked
package io.helenus.storage.engine;

import org.jspecify.annotations.NullMarked;
