/**
 * The seam to the outside world: files, time, randomness and threads. Everything above receives
 * them through constructors, so that the simulation can replace them all. Imports nothing of
 * Helenus.
 */
@NullMarked
package io.helenus.storage.env;

import org.jspecify.annotations.NullMarked;
