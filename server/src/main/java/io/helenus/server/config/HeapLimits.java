package io.helenus.server.config;

/**
 * What one request may have built on the heap, because its texts and values take several times
 * their size while they are parsed, and many small parts a hundred times. Requests that want more
 * are refused before it is allocated. Immutable.
 *
 * @param bytes the greatest size of its texts, of the arguments of a function, and of a JSON
 *     document; two for each character of a text with others than those of Latin-1
 * @param parts the greatest number of tokens in its texts, and of names and values in a JSON
 *     document
 */
public record HeapLimits(long bytes, long parts) {
  /** How many of the largest texts the heap would hold. */
  private static final int TEXTS = 12;

  /** What is left of the heap for each part while several requests are parsed. */
  private static final int PART_BYTES = 2048;

  private static final char LAST_OF_LATIN_1 = 0xFF;

  /** The limits under the heap of this process, for code that no node has built. */
  public static final HeapLimits OF_PROCESS = of(Runtime.getRuntime().maxMemory());

  /** What a text takes on the heap. */
  public static long bytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > LAST_OF_LATIN_1) {
        return 2L * text.length();
      }
    }
    return text.length();
  }

  /** The limits under a heap of this size. */
  public static HeapLimits of(long heapBytes) {
    return new HeapLimits(heapBytes / TEXTS, heapBytes / PART_BYTES);
  }
}
