/**
 * {@code helenus dump}: prints what one file of a data folder holds, for people or as JSON. Reads
 * with the readers that a node uses ({@code storage.engine.local.StorageInspection}, {@code
 * metadata.MetadataInspection}) and changes nothing. Entry class: {@link
 * io.helenus.server.dump.Dump}. Seen by {@code node} only.
 */
@NullMarked
package io.helenus.server.dump;

import org.jspecify.annotations.NullMarked;
