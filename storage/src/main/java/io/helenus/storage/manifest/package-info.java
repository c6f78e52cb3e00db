/**
 * The manifest (storage/docs/manifest.md): which SSTables are live and up to where each log is in
 * them, changed by atomic edits. Entry class: {@link io.helenus.storage.manifest.Manifest}. Imports
 * {@code env}, {@code bytes}, {@code log} for positions, and the doors of {@code engine}.
 */
@NullMarked
package io.helenus.storage.manifest;

import org.jspecify.annotations.NullMarked;
