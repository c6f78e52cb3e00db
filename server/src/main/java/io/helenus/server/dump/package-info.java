/**
 * {@code helenus dump}: prints the contents of one file of a data folder as text or JSON. Uses the
 * same readers as a node ({@code storage.local.StorageInspection}, {@code
 * metadata.MetadataInspection}) and changes nothing. Entry class: {@link
 * io.helenus.server.dump.Dump}. Used by {@code node} only.
 */
@NullMarked
package io.helenus.server.dump;

import org.jspecify.annotations.NullMarked;
