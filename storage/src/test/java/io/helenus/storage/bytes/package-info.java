/** Tests of the byte types. */
@NullMarked
package io.helenus.storage.bytes;

import org.jspecify.annotations.NullMarked;
