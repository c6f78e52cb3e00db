/**
 * The API of storage: {@link io.helenus.storage.engine.Storage} is a node's storage, with one
 * {@link io.helenus.storage.engine.StorageEngine} per shard. Interfaces, requests and values only,
 * so it imports nothing but {@code bytes} and {@code row}.
 */
@NullMarked
package io.helenus.storage.engine;

import org.jspecify.annotations.NullMarked;
