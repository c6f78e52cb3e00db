/** Tests of the keys that indexes find. */
@NullMarked
package io.helenus.storage.lookup;

import org.jspecify.annotations.NullMarked;
