/** Tests of the pools and shares of native memory. */
@NullMarked
package io.helenus.storage.memory;

import org.jspecify.annotations.NullMarked;
