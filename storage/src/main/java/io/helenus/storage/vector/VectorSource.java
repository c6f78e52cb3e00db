package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/** The vectors of a memtable or of a file, by numbers from 0. Never changes; any thread. */
public interface VectorSource {
  /** How many there are. */
  int size();

  /** Reads a vector; returns the square of its length. */
  float read(int ordinal, float[] into);

  /** The codes of its vectors; null if it has none. */
  default @Nullable VectorCodes codes() {
    return null;
  }

  /** Appends the key of a vector's row; returns the length of its prefix. */
  int appendKey(int ordinal, ByteWriter out);

  /** How many of them a graph has; 0 if there are no graphs. */
  default int nodesPerGraph() {
    return 0;
  }

  /** How wide a search of a graph must be to find the {@link GraphWidth#NEAREST} nearest. */
  default int graphWidth() {
    return 0;
  }

  /** A graph of {@link #nodesPerGraph} vectors or, the last one, of the rest. */
  default Graph graph(int index) {
    throw new IllegalStateException("no graphs");
  }

  /** The vectors that a search looks at. */
  Ordinals within(KeyRestriction restriction);
}
