/**
 * The API of storage: {@link io.helenus.storage.engine.Storage} is a node's storage, with one
 * {@link io.helenus.storage.engine.StorageEngine} per shard. It has only interfaces, requests and
 * values, and imports only {@code bytes} and {@code row}.
 */
@NullMarked
package io.helenus.storage.engine;

import org.jspecify.annotations.NullMarked;
