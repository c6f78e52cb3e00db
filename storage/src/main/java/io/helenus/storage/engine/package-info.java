/**
 * The only way into storage: {@link io.helenus.storage.engine.Storage} opens a node's folder and
 * yields one {@link io.helenus.storage.engine.StorageEngine} per shard. Imports every other room of
 * storage.
 */
@NullMarked
package io.helenus.storage.engine;

import org.jspecify.annotations.NullMarked;
