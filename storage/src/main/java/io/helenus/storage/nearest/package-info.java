/**
 * Reads of the rows whose vectors are the nearest to one. Entry class: {@link
 * io.helenus.storage.nearest.NearestRead}. Imports {@code lookup} and what it imports, and {@code
 * vector}.
 */
@NullMarked
package io.helenus.storage.nearest;

import org.jspecify.annotations.NullMarked;
