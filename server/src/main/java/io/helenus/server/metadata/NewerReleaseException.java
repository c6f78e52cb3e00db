package io.helenus.server.metadata;

/** An entry or a snapshot that only a later release reads; the caller adds the file name. */
final class NewerReleaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NewerReleaseException(MetadataRelease needed) {
    super(
        "Helenus "
            + needed
            + " or later is needed to read it, and this release reads what Helenus "
            + MetadataRelease.READ
            + " wrote: start that release");
  }
}
