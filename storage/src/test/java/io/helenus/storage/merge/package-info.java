/** Tests of merges of sorted runs. */
@NullMarked
package io.helenus.storage.merge;

import org.jspecify.annotations.NullMarked;
