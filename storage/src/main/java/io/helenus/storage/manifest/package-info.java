/**
 * The manifest (storage/docs/manifest.md): which SSTables are live and which part of each commit
 * log they cover, changed by atomic edits. Entry class: {@link
 * io.helenus.storage.manifest.Manifest}. Imports {@code env}, {@code bytes}, {@code log} for
 * positions, and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.manifest;

import org.jspecify.annotations.NullMarked;
