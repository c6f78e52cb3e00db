/**
 * The implementation of {@code engine}: {@link io.helenus.storage.local.LocalStorage} opens a data
 * folder, replays its commit logs and provides the shards' engines. Imports every other package of
 * storage.
 */
@NullMarked
package io.helenus.storage.local;

import org.jspecify.annotations.NullMarked;
