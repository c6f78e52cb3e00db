package io.helenus.server.metadata;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.testing.ForwardingFileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A file system with a planted bug: what was promised and accepted for the next entry is gone after
 * a restart, as if it had not been synced before the reply.
 */
public final class ForgottenVotes extends ForwardingFileSystem {
  private static final int HEADER_BYTES = 24;
  private static final int LENGTH_OFFSET = 1;
  private static final int KIND_OFFSET = 9;
  private static final int FRAME_BYTES = 17;

  /** Plants the bug in files. */
  public ForgottenVotes(FileSystem inner) {
    super(inner);
  }

  @Override
  public File open(String path) throws IOException {
    File file = super.open(path);
    if (!path.startsWith(LocalMetadataLog.FOLDER)) {
      return file;
    }
    int size = (int) file.size();
    ByteWriter contents = new ByteWriter(Math.max(1, size));
    contents.reserve(size);
    MemorySegment bytes = contents.segment();
    file.read(0, bytes, 0, size);
    long end = HEADER_BYTES;
    long endWithoutVotes = end;
    while (end + FRAME_BYTES < size) {
      boolean isVote = Bytes.getUnsignedByte(bytes, end + KIND_OFFSET) == FactFormat.RECORD_VOTE;
      end += FRAME_BYTES + Bytes.getInt(bytes, end + LENGTH_OFFSET);
      endWithoutVotes = isVote ? endWithoutVotes : end;
    }
    if (end == size && endWithoutVotes < end) {
      file.truncate(endWithoutVotes);
      file.sync();
    }
    return file;
  }
}
