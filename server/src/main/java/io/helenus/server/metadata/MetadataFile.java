package io.helenus.server.metadata;

import io.helenus.server.consensus.RegisterState;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.RecordMarks;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One file of the metadata log: a snapshot and the entries after it; the format is described in
 * docs/metadata-log.md. Blocks; one thread at a time.
 */
final class MetadataFile implements AutoCloseable {
  private static final long MAGIC = 0x484C_4E4D_4554_4100L;
  private static final int HEADER_BYTES = 24;
  private static final int LENGTH_OFFSET = 1;
  private static final int CHECKSUM_OFFSET = 5;
  private static final int RECORD_HEADER_BYTES = 9;

  private final FileSystem.File file;
  private final long generation;
  private final Crc32c checksum = new Crc32c();
  private final ByteWriter record = new ByteWriter(4096);
  private int version = FactFormat.VERSION;
  private long start;
  private long end;
  private long snapshotEnd;

  private MetadataFile(FileSystem.File file, long generation) {
    this.file = file;
    this.generation = generation;
  }

  /**
   * The contents of a file.
   *
   * @param hostId the host id of the node whose file it is; null if it is the first of the snapshot
   * @param register what the node has promised and accepted for the slot after the last entry
   */
  record Contents(
      ClusterState snapshot,
      @Nullable UUID hostId,
      List<Proposal> proposals,
      RegisterState register,
      long tornBytes) {
    /** The host id of the node whose file it is. */
    UUID owner() {
      return hostId != null ? hostId : snapshot.nodes().keySet().iterator().next();
    }
  }

  /**
   * Writes a new file that starts with this state, and syncs it.
   *
   * @param hostId the node whose file it is
   * @param register what it has promised and accepted for the next slot
   */
  static MetadataFile create(
      FileSystem files,
      String path,
      long generation,
      ClusterState state,
      UUID hostId,
      RegisterState register)
      throws IOException {
    MetadataFile made = new MetadataFile(files.create(path), generation);
    try {
      ByteWriter header = made.record;
      header.putLong(MAGIC).putInt(FactFormat.VERSION).putLong(generation);
      header.putInt(made.checksum.of(header.segment(), 0, header.size()));
      made.file.write(0, header.segment(), 0, header.size());
      made.end = HEADER_BYTES;
      made.begin(FactFormat.RECORD_SNAPSHOT);
      new FactWriter(made.record).snapshot(state);
      made.write();
      if (!state.nodes().keySet().equals(Set.of(hostId))) {
        made.begin(FactFormat.RECORD_HOST_ID);
        ConsensusFormat.putUuid(made.record, hostId);
        made.write();
      }
      made.snapshotEnd = made.end;
      if (register != RegisterState.EMPTY) {
        made.writeVote(state.index() + 1, register);
      }
      made.file.sync();
      return made;
    } catch (IOException e) {
      made.file.close();
      throw e;
    }
  }

  /** Opens a file without reading it. */
  static MetadataFile open(FileSystem files, String path, long generation) throws IOException {
    return new MetadataFile(files.open(path), generation);
  }

  /** Positions at the end of a new file that contains only its snapshot. */
  void seekToEnd() throws IOException {
    end = file.size();
    snapshotEnd = end;
  }

  /** Opens a file with the generation from its header. */
  static MetadataFile openAny(FileSystem files, String path) throws IOException {
    FileSystem.File file = files.open(path);
    ByteWriter header = new ByteWriter(HEADER_BYTES);
    header.reserve(HEADER_BYTES);
    try {
      long read = file.read(0, header.segment(), 0, HEADER_BYTES);
      return new MetadataFile(file, read < HEADER_BYTES ? 0 : Bytes.getLong(header.segment(), 12));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Reads the file and positions after the last valid record, before a torn tail if there is one.
   */
  Contents read(List<KeyspaceSchema> systemKeyspaces) throws IOException {
    Collected collected = new Collected();
    long torn = read(systemKeyspaces, collected);
    return new Contents(
        Objects.requireNonNull(collected.snapshot),
        collected.hostId,
        collected.proposals,
        collected.register,
        torn);
  }

  private static final class Collected implements MetadataVisitor {
    private final List<Proposal> proposals = new ArrayList<>();
    private @Nullable ClusterState snapshot;
    private @Nullable UUID hostId;
    private RegisterState register = RegisterState.EMPTY;

    @Override
    public void snapshot(long offset, ClusterState state) {
      snapshot = state;
    }

    @Override
    public void entry(long offset, long index, Proposal proposal) {
      proposals.add(proposal);
      register = RegisterState.EMPTY;
    }

    @Override
    public void hostId(long offset, UUID id) {
      hostId = id;
    }

    @Override
    public void vote(long offset, long slot, RegisterState state) {
      register = state;
    }
  }

  /** As {@link #read(List)}; returns the length of an incomplete last record in bytes. */
  long read(List<KeyspaceSchema> systemKeyspaces, MetadataVisitor visitor) throws IOException {
    long size = file.size();
    ByteWriter contents = new ByteWriter((int) Math.max(16, size));
    int at = contents.reserve((int) size);
    MemorySegment bytes = contents.segment();
    long got = file.read(0, bytes, at, size);
    if (got != size) {
      throw damaged(got, "the file was truncated while it was read");
    }
    requireHeader(bytes, size);
    end = HEADER_BYTES;
    if (!isRecord(bytes, end, size)) {
      throw damaged(end, "the snapshot is incomplete or its checksum does not match");
    }
    try {
      FactReader reader = body(bytes, FactFormat.RECORD_SNAPSHOT);
      ClusterState snapshot = reader.snapshot(systemKeyspaces);
      requireEnd(reader, bytes);
      snapshotEnd = end;
      visitor.snapshot(HEADER_BYTES, snapshot);
      long index = snapshot.index();
      while (isRecord(bytes, end, size)) {
        index = visit(bytes, index, visitor);
      }
      long torn = size - end;
      requireTorn(bytes, size);
      return torn;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MetadataException(describe(end, "cannot decode an entry: " + e.getMessage()), e);
    } catch (NewerReleaseException e) {
      throw new MetadataException(
          "the metadata log " + file.path() + " goes on at offset " + start + ": " + e.getMessage(),
          e);
    }
  }

  /** Reads the record that follows the entry of an index; returns that of the last one now. */
  private long visit(MemorySegment bytes, long index, MetadataVisitor visitor) {
    long offset = end;
    switch (Bytes.getUnsignedByte(bytes, offset + RECORD_HEADER_BYTES)) {
      case FactFormat.RECORD_HOST_ID -> {
        FactReader reader = body(bytes, FactFormat.RECORD_HOST_ID);
        UUID hostId = reader.uuid();
        requireEnd(reader, bytes);
        snapshotEnd = end;
        visitor.hostId(offset, hostId);
        return index;
      }
      case FactFormat.RECORD_VOTE -> {
        FactReader reader = body(bytes, FactFormat.RECORD_VOTE);
        long slot = reader.i64();
        RegisterState register = ConsensusFormat.register(reader);
        requireEnd(reader, bytes);
        if (slot != index + 1) {
          throw damaged(start, "found a vote on entry " + slot + " after entry " + index);
        }
        visitor.vote(offset, slot, register);
        return index;
      }
      default -> {
        Proposal proposal = proposal(bytes, index + 1);
        visitor.entry(offset, index + 1, proposal);
        return index + 1;
      }
    }
  }

  private void requireHeader(MemorySegment bytes, long size) {
    if (size < HEADER_BYTES || Bytes.getLong(bytes, 0) != MAGIC) {
      throw damaged(0, "not a metadata log");
    }
    version = Bytes.getInt(bytes, 8);
    if (version < 1 || version > FactFormat.VERSION) {
      throw damaged(8, "unknown format version " + version);
    }
    if (Bytes.getInt(bytes, 20) != checksum.of(bytes, 0, 20)
        || Bytes.getLong(bytes, 12) != generation) {
      throw damaged(0, "the header's checksum or generation does not match");
    }
  }

  private boolean isRecord(MemorySegment bytes, long position, long size) {
    long room = size - position - RECORD_HEADER_BYTES - RecordMarks.END_BYTES;
    if (room < 0) {
      return false;
    }
    long length = Bytes.getInt(bytes, position + LENGTH_OFFSET) & 0xFFFF_FFFFL;
    return length > 0
        && length <= room
        && Bytes.getInt(bytes, position + CHECKSUM_OFFSET)
            == crc(bytes, position + RECORD_HEADER_BYTES, (int) length);
  }

  private static long bodyEnd(MemorySegment bytes, long position) {
    return position
        + RECORD_HEADER_BYTES
        + (Bytes.getInt(bytes, position + LENGTH_OFFSET) & 0xFFFF_FFFFL);
  }

  private int crc(MemorySegment bytes, long offset, int length) {
    ByteWriter seed = new ByteWriter(16).putLong(generation);
    checksum.reset();
    checksum.update(seed.segment(), 0, 8);
    checksum.update(bytes, offset, length);
    return checksum.value();
  }

  /** Advances past the next record and returns a reader of its body after the kind. */
  private FactReader body(MemorySegment bytes, int kind) {
    long body = end + RECORD_HEADER_BYTES;
    int found = Bytes.getUnsignedByte(bytes, body);
    if (found != kind) {
      throw damaged(end, "found a record of kind " + found + ", expected kind " + kind);
    }
    start = end;
    end = bodyEnd(bytes, end) + RecordMarks.END_BYTES;
    return new FactReader(bytes, body + 1, end - RecordMarks.END_BYTES, version);
  }

  private Proposal proposal(MemorySegment bytes, long expectedIndex) {
    FactReader reader = body(bytes, FactFormat.RECORD_PROPOSAL);
    long index = reader.i64();
    if (index != expectedIndex) {
      throw damaged(start, "found entry " + index + ", expected entry " + expectedIndex);
    }
    Proposal proposal =
        reader.isDelimited() ? ConsensusFormat.proposal(reader) : undelimited(reader, index);
    requireEnd(reader, bytes);
    return proposal;
  }

  private static Proposal undelimited(FactReader reader, long index) {
    ProposalId id = new ProposalId(reader.uuid(), 0, reader.i64());
    reader.i64(); // The epoch it was validated for: a single node wrote no stale one.
    byte[] entry = reader.rest();
    return new Proposal(id, index, reader.entry(), entry);
  }

  private void requireEnd(FactReader reader, MemorySegment bytes) {
    if (reader.position() != end - RecordMarks.END_BYTES || end > bytes.byteSize()) {
      throw damaged(end, "unexpected bytes at the end of a record");
    }
  }

  /** After the last valid record there may be an incomplete one, but no complete one. */
  private void requireTorn(MemorySegment bytes, long size) {
    for (long position = end + 1; position + RECORD_HEADER_BYTES < size; position++) {
      if (isRecord(bytes, position, size)) {
        throw damaged(end, "invalid record, followed by a valid one at offset " + position);
      }
    }
    if (!RecordMarks.isTorn(bytes, end, size)) {
      throw damaged(end, "the last record was written completely, but its checksum does not match");
    }
  }

  /** Truncates the file after the last valid record. */
  void truncateTornTail() throws IOException {
    file.truncate(end);
    file.sync();
  }

  /** Syncs the file. */
  void sync() throws IOException {
    file.sync();
  }

  /** Appends an entry and syncs it. The file must have the newest format. */
  void append(long index, Proposal proposal) throws IOException {
    begin(FactFormat.RECORD_PROPOSAL);
    record.putLong(index);
    ConsensusFormat.putProposal(record, proposal);
    write();
    file.sync();
  }

  /** Appends what the node has promised and accepted for the next slot, and syncs it. */
  void appendVote(long slot, RegisterState register) throws IOException {
    writeVote(slot, register);
    file.sync();
  }

  private void writeVote(long slot, RegisterState register) throws IOException {
    begin(FactFormat.RECORD_VOTE);
    record.putLong(slot);
    ConsensusFormat.putRegister(record, register);
    write();
  }

  private void begin(int kind) {
    record.clear().putByte(RecordMarks.BEGIN).putInt(0).putInt(0).putByte(kind);
  }

  private void write() throws IOException {
    int length = record.size() - RECORD_HEADER_BYTES;
    record.setInt(LENGTH_OFFSET, length);
    record.setInt(CHECKSUM_OFFSET, crc(record.segment(), RECORD_HEADER_BYTES, length));
    record.putLong(RecordMarks.END);
    file.write(end, record.segment(), 0, record.size());
    end += record.size();
  }

  /** The length in bytes of the entries after the snapshot. */
  long entryBytes() {
    return end - snapshotEnd;
  }

  /** Whether entries are appended to it: files of older formats are only read. */
  boolean isAppendable() {
    return version == FactFormat.VERSION;
  }

  /** Where it is, for messages. */
  String path() {
    return file.path();
  }

  long generation() {
    return generation;
  }

  private MetadataException damaged(long offset, String what) {
    return new MetadataException(describe(offset, what));
  }

  private String describe(long offset, String what) {
    return "the metadata log " + file.path() + " is damaged at offset " + offset + ": " + what;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
