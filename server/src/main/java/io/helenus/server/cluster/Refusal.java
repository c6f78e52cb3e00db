package io.helenus.server.cluster;

/**
 * Why a node is refused in a handshake. Immutable.
 *
 * @param text for the log of the refused node; says what to do
 */
public record Refusal(Kind kind, String text) {
  /** What is wrong. The codes are sent; see {@code docs/internode.md}. */
  public enum Kind {
    /** The nodes are configured with different cluster names. */
    CLUSTER_NAME(1),
    /** The nodes are members of different clusters. */
    CLUSTER_ID(2),
    /** The node that was dialled has the same host id. */
    SAME_HOST(3),
    /** A later life of the host is known. */
    OLDER_LIFE(4),
    /** Another life of the host is connected and was heard just now; may pass. */
    HOST_ALIVE(5);

    private static final Kind[] KINDS = values();

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code that is sent. */
    public int code() {
      return code;
    }

    /**
     * The kind with a code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind ofCode(int code) {
      if (code < 1 || code > KINDS.length) {
        throw new IllegalArgumentException("no refusal has the code " + code);
      }
      return KINDS[code - 1];
    }
  }
}
