package io.helenus.server.metadata;

/**
 * A release of Helenus, as recorded with what older ones cannot read. Immutable.
 *
 * <p>Each entry and snapshot names the first release that reads all of it, so that an older one can
 * say which release is needed.
 */
record MetadataRelease(int major, int minor, int patch) implements Comparable<MetadataRelease> {
  /** The first release. */
  static final MetadataRelease FIRST = new MetadataRelease(0, 1, 0);

  /**
   * The release whose entries this one reads. Raised to the release that adds a kind of entry, or
   * anything else that a reader must not skip.
   */
  static final MetadataRelease READ = FIRST;

  @Override
  public int compareTo(MetadataRelease other) {
    int byMajor = Integer.compare(major, other.major);
    int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
    return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
