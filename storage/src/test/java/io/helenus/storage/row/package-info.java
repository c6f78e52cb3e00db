/** Tests of rows and their reconciliation. */
@NullMarked
package io.helenus.storage.row;

import org.jspecify.annotations.NullMarked;
