/**
 * The simulated outside world: files that lose unsynced writes, a virtual clock, and one thread
 * that runs the tasks of all schedulers in an order derived from a seed. Shared with the tests of
 * the server. Entry class: {@link io.helenus.storage.env.sim.SimWorld}. Imports {@code env} only.
 */
@NullMarked
package io.helenus.storage.env.sim;

import org.jspecify.annotations.NullMarked;
