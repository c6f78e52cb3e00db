/**
 * The storage of one node behind the doors of {@code engine}: {@link
 * io.helenus.storage.engine.local.LocalStorage} opens a folder and yields the engines. Imports
 * every other room of storage.
 */
@NullMarked
package io.helenus.storage.engine.local;

import org.jspecify.annotations.NullMarked;
