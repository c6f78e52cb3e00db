/**
 * The interface to the environment: files, time, randomness and threads. All other code receives
 * them through constructors, so that the simulation can replace them. Imports no other package of
 * Helenus.
 */
@NullMarked
package io.helenus.storage.env;

import org.jspecify.annotations.NullMarked;
