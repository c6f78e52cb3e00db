package io.helenus.server.admin;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots in the data folder: {@code snapshots/TAG/KEYSPACE/TABLE-ID} contains links to
 * SSTables, the statements that recreate the table in {@code schema.cql}, and {@code
 * manifest.json}, which is written last. Methods block. Whoever changes snapshots takes a turn for
 * it.
 */
public final class Snapshots {
  private static final String FOLDER = "snapshots";
  private static final String SSTABLES = "sstables";
  private static final String MANIFEST = "manifest.json";
  private static final String SCHEMA = "schema.cql";
  private static final String SSTABLE_END = ".sst";
  private static final String INDEX_END = ".idx";
  private static final String IMPORT = "import";
  private static final long MANIFEST_LIMIT_BYTES = 16 << 20;
  private static final String CREATED = "\"created_at\" : \"";

  private final FileSystem files;
  private final SnapshotTurns turns = new SnapshotTurns();

  /** The snapshots below the data folder. */
  public Snapshots(FileSystem files) {
    this.files = files;
  }

  /** The turns in which snapshots are created and deleted. */
  public SnapshotTurns turns() {
    return turns;
  }

  /**
   * The snapshot of a table. Sizes are in bytes.
   *
   * @param trueBytes size of what would be gone if the snapshot was deleted
   * @param bytes size of all its files
   * @param created when, in ISO format; empty if it is incomplete
   */
  public record Snapshot(
      String tag,
      String keyspace,
      String table,
      String folder,
      long trueBytes,
      long bytes,
      String created) {}

  /** All snapshots by tag, keyspace and table. */
  public List<Snapshot> list() throws IOException {
    List<Snapshot> found = new ArrayList<>();
    for (String tag : sorted(FOLDER)) {
      for (String keyspace : sorted(FOLDER + "/" + tag)) {
        for (String table : sorted(FOLDER + "/" + tag + "/" + keyspace)) {
          found.add(describe(tag, keyspace, table));
        }
      }
    }
    return found;
  }

  /** Whether a snapshot of any table has this name. */
  public boolean exists(String tag) throws IOException {
    return files.list(FOLDER).contains(tag);
  }

  private List<String> sorted(String folder) throws IOException {
    return files.list(folder).stream().sorted().toList();
  }

  private Snapshot describe(String tag, String keyspace, String name) throws IOException {
    String folder = FOLDER + "/" + tag + "/" + keyspace + "/" + name;
    long bytes = 0;
    long trueBytes = 0;
    String created = "";
    for (String file : files.list(folder)) {
      long size = sizeOf(folder + "/" + file);
      bytes += size;
      if (!files.exists(SSTABLES + "/" + file)) {
        trueBytes += size;
      }
      if (file.equals(MANIFEST)) {
        created = created(folder + "/" + file);
      }
    }
    String table = name.substring(0, Math.max(0, name.lastIndexOf('-')));
    return new Snapshot(tag, keyspace, table, folder, trueBytes, bytes, created);
  }

  private long sizeOf(String path) throws IOException {
    try (FileSystem.File file = files.open(path)) {
      return file.size();
    }
  }

  private String created(String path) throws IOException {
    String text = read(path);
    int start = text.indexOf(CREATED);
    int from = start + CREATED.length();
    int end = text.indexOf('"', from);
    return start < 0 || end < 0 ? "" : text.substring(from, end);
  }

  private String read(String path) throws IOException {
    try (FileSystem.File file = files.open(path)) {
      int size = (int) Math.min(MANIFEST_LIMIT_BYTES, file.size());
      ByteWriter bytes = new ByteWriter(1024);
      int at = bytes.reserve(size);
      long read = file.read(0, bytes.segment(), at, size);
      return new String(bytes.toArray(), 0, (int) read, StandardCharsets.UTF_8);
    }
  }

  /**
   * The files in a folder of a snapshot, or in a copy of one.
   *
   * @param folder below the data folder or absolute
   * @throws IOException if they cannot be loaded into a table, with the reason
   */
  public FilesToLoad files(String folder, TableSchema target) throws IOException {
    List<String> names = sorted(folder);
    if (!names.contains(MANIFEST)) {
      throw new IOException(
          names.isEmpty()
              ? "it is empty or does not exist"
              : "it has no " + MANIFEST + "; copy all files of a snapshot's folder");
    }
    SnapshotManifest manifest =
        SnapshotManifest.parse(read(folder + "/" + MANIFEST), folder + "/" + MANIFEST);
    for (String name : names) {
      if (name.endsWith(SSTABLE_END) && !manifest.files().contains(name)) {
        throw new IOException(name + " is not listed in " + MANIFEST);
      }
    }
    List<String> paths = new ArrayList<>();
    for (String name : manifest.files()) {
      // the table's own indexes are built of what is loaded
      if (!name.endsWith(SSTABLE_END)) {
        continue;
      }
      if (!names.contains(name)) {
        throw new IOException(name + " is listed in " + MANIFEST + " but missing");
      }
      paths.add(folder + "/" + name);
    }
    ColumnMatch match = new ColumnMatch(manifest, target);
    String refusal = match.refusal();
    if (refusal != null) {
      throw new IOException(
          "the files of " + manifest.table() + " do not fit " + target + ": " + refusal);
    }
    return new FilesToLoad(paths, manifest.storageId(), match.columns());
  }

  /** The folder whose contents {@code refresh} loads into a table. */
  public static String importFolder(TableSchema table) {
    return IMPORT + "/" + table.keyspace() + "/" + table.name();
  }

  /** Deletes the files of a folder of a snapshot, or of a copy of one, and keeps the folder. */
  public void empty(String folder) throws IOException {
    for (String name : files.list(folder)) {
      if (name.equals(MANIFEST)
          || name.equals(SCHEMA)
          || name.endsWith(SSTABLE_END)
          || name.endsWith(INDEX_END)) {
        files.delete(folder + "/" + name);
      }
    }
  }

  /** Creates the folder of the snapshot of a table. */
  public String createFolder(String tag, TableSchema table) throws IOException {
    String ofTag = FOLDER + "/" + tag;
    String ofKeyspace = ofTag + "/" + table.keyspace();
    String folder = ofKeyspace + "/" + table.name() + "-" + table.id().toString().replace("-", "");
    files.createFolders(folder);
    for (String parent : List.of("", FOLDER, ofTag, ofKeyspace)) {
      files.syncFolder(parent);
    }
    return folder;
  }

  /** Completes a snapshot after its files were linked. */
  public void complete(String folder, KeyspaceSchema keyspace, TableSchema table, Instant created)
      throws IOException {
    List<String> names = sorted(folder);
    write(folder + "/" + SCHEMA, SchemaDescriber.restoreStatements(keyspace, table) + "\n");
    write(folder + "/" + MANIFEST, SnapshotManifest.text(names, table, created));
    files.syncFolder(folder);
  }

  private void write(String path, String text) throws IOException {
    ByteWriter bytes = new ByteWriter(1024);
    bytes.putBytes(text.getBytes(StandardCharsets.UTF_8));
    try (FileSystem.File file = files.create(path)) {
      file.write(0, bytes.segment(), 0, bytes.size());
      file.sync();
    }
  }

  /**
   * Deletes snapshots.
   *
   * @param tag null for all tags
   * @param keyspaces empty for all keyspaces
   */
  public void delete(@Nullable String tag, List<String> keyspaces) throws IOException {
    for (Snapshot each : list()) {
      if ((tag == null || each.tag().equals(tag))
          && (keyspaces.isEmpty() || keyspaces.contains(each.keyspace()))) {
        for (String file : files.list(each.folder())) {
          files.delete(each.folder() + "/" + file);
        }
        deleteIfEmpty(each.folder());
        deleteIfEmpty(FOLDER + "/" + each.tag() + "/" + each.keyspace());
        deleteIfEmpty(FOLDER + "/" + each.tag());
      }
    }
  }

  private void deleteIfEmpty(String folder) throws IOException {
    if (files.list(folder).isEmpty()) {
      files.deleteFolder(folder);
    }
  }
}
