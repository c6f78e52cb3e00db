/**
 * What the seeded tests of all modules share: the seed of a test and the command that runs it again
 * ({@link io.helenus.storage.testing.Seeds}), the named failures of the simulations ({@link
 * io.helenus.storage.testing.Violation}), the shrinker that shortens a failing run, and the storage
 * options of a test ({@link io.helenus.storage.testing.TestStorageOptions}).
 */
@NullMarked
package io.helenus.storage.testing;

import org.jspecify.annotations.NullMarked;
