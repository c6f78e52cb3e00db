/**
 * The implementation of {@code engine}: {@link io.helenus.storage.engine.local.LocalStorage} opens
 * a data folder, replays its commit logs and provides the shards' engines. Imports every other
 * package of storage.
 */
@NullMarked
package io.helenus.storage.engine.local;

import org.jspecify.annotations.NullMarked;
