package io.helenus.storage.vector;

/** The codes of the vectors of a file, by the numbers of these. One thread at a time. */
interface VectorCodes {
  /** The mean of the vectors, which the codes are relative to. */
  float[] mean();

  /** Reads the code of a vector. */
  void read(int ordinal, VectorCode into);

  /**
   * Makes the processor load a code that is read soon: several that are loaded one after the other
   * cost about as much as one that is waited for.
   */
  void readAhead(int ordinal);
}
