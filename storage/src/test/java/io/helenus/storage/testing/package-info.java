/**
 * Shared by the randomized tests of all modules: seeds and the command that reproduces a failure
 * ({@link io.helenus.storage.testing.Seeds}), the violations that simulations report ({@link
 * io.helenus.storage.testing.Violation}), the shrinker that minimizes a failing run, and storage
 * options for tests ({@link io.helenus.storage.testing.TestStorageOptions}).
 */
@NullMarked
package io.helenus.storage.testing;

import org.jspecify.annotations.NullMarked;
