/**
 * The one seam to the outside world: files, time, randomness, threads. Everything above receives
 * these by constructor, so that the simulation can own them all. Imports nothing of Helenus.
 */
@NullMarked
package io.helenus.storage.env;

import org.jspecify.annotations.NullMarked;
