package io.helenus.storage.memory;

/**
 * Memory was refused, because a share is exhausted or because one user would take all of it. A
 * refusal is no bug, so it has no stack trace.
 */
public final class ShareExhaustedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean tooLarge;
  private final long usedBytes;
  private final long limitBytes;

  ShareExhaustedException(boolean tooLarge, long usedBytes, long limitBytes) {
    super(usedBytes + " bytes of " + limitBytes + " are in use", null, false, false);
    this.tooLarge = tooLarge;
    this.usedBytes = usedBytes;
    this.limitBytes = limitBytes;
  }

  /** Whether the refused user alone takes too much, so that it is refused at any time. */
  public boolean isTooLarge() {
    return tooLarge;
  }

  /** What is in use, by all users or, if that is too large, by the refused one. */
  public long usedBytes() {
    return usedBytes;
  }

  /** The limit of that use. */
  public long limitBytes() {
    return limitBytes;
  }
}
