/**
 * Indexes of vectors: their entries in memory and in files, and the search for those nearest to a
 * vector, in graphs of JVector. Entry classes: {@link io.helenus.storage.vector.VectorFileWriter},
 * {@link io.helenus.storage.vector.NearestSearch}. Imports {@code bytes}, {@code env}, {@code row},
 * {@code run}, {@code memory} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.vector;

import org.jspecify.annotations.NullMarked;
