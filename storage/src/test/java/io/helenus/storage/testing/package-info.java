/**
 * What the seeded tests of all modules share: the seed of a test and the command that runs it again
 * ({@link io.helenus.storage.testing.Seeds}), the named failures of the simulations ({@link
 * io.helenus.storage.testing.Violation}) and the shrinker that shortens a failing run.
 */
@NullMarked
package io.helenus.storage.testing;

import org.jspecify.annotations.NullMarked;
