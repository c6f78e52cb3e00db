package io.helenus.server.dump;

import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.MetadataException;
import io.helenus.server.metadata.MetadataInspection;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.local.StorageInspection;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * {@code helenus dump}: prints the contents of one file. Only reads and takes no lock, so that it
 * can be used on the files of a running node. Used once, by one thread.
 */
public final class Dump {
  /** The files that can be dumped. */
  public enum Kind {
    /** A file in {@code sstables/}. */
    SSTABLE,
    /** A segment in {@code commitlog/}. */
    LOG,
    /** A file in {@code manifest/}. */
    MANIFEST,
    /** A file in {@code metadata/}. */
    METADATA,
    /** The file {@code timestamps}. */
    TIMESTAMPS
  }

  /**
   * The arguments of the command.
   *
   * @param limit the maximum number of entries, records or edits to print
   */
  public record Request(Kind kind, Path file, boolean json, long limit) {}

  private static final int DAMAGED = 1;

  private final Request request;
  private final List<KeyspaceSchema> systemKeyspaces;
  private final PrintStream err;
  private final DumpOutput out;

  private Dump(
      Request request, List<KeyspaceSchema> systemKeyspaces, PrintStream out, PrintStream err) {
    this.request = request;
    this.systemKeyspaces = systemKeyspaces;
    this.err = err;
    DumpPrinter printer =
        request.json()
            ? new JsonPrinter(new BufferedOutputStream(out))
            : new TextPrinter(
                new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8)));
    this.out = new DumpOutput(printer, out::checkError, request.limit());
  }

  /**
   * Prints the file; problems are reported on {@code err}.
   *
   * @param systemKeyspaces the built-in keyspaces
   * @return the exit code: 1 if the file is damaged or cannot be read
   */
  public static int run(
      Request request, List<KeyspaceSchema> systemKeyspaces, PrintStream out, PrintStream err) {
    Dump dump = new Dump(request, systemKeyspaces, out, err);
    int code = 0;
    try {
      try {
        dump.print();
      } finally {
        dump.out.flush();
      }
    } catch (IOException | StorageException | MetadataException e) {
      err.println("helenus: " + e.getMessage());
      code = DAMAGED;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      err.println("helenus: cannot decode " + request.file() + ": " + e.getMessage());
      code = DAMAGED;
    }
    return code;
  }

  private void print() throws IOException {
    Path file = request.file().toAbsolutePath().normalize();
    FileSystem files = DiskFileSystem.readOnly(folderOfData(file));
    String path = file.toString();
    switch (request.kind()) {
      case SSTABLE -> inspection(files).sstable(path, storageDump(files));
      case LOG -> inspection(files).log(path, storageDump(files));
      case MANIFEST -> inspection(files).manifest(path, storageDump(files));
      case METADATA -> metadata(files, path);
      case TIMESTAMPS -> timestamps(files, path);
    }
  }

  private StorageInspection inspection(FileSystem files) {
    return new StorageInspection(files, this::note);
  }

  private StorageDump storageDump(FileSystem files) {
    return new StorageDump(schema(files), out);
  }

  private void metadata(FileSystem files, String path) throws IOException {
    long torn = MetadataInspection.run(files, path, systemKeyspaces, new MetadataDump(out));
    if (torn > 0) {
      note(path + " ends with " + torn + " bytes of an incomplete entry");
    }
  }

  private void timestamps(FileSystem files, String path) throws IOException {
    TimestampDump dump = new TimestampDump(out);
    dump.print(path, MetadataInspection.timestamps(files, path), this::note);
  }

  /** The data folder if the file is in one of its subfolders. */
  private static Path folderOfData(Path file) {
    Path folder = file.getParent();
    Path data = folder == null ? null : folder.getParent();
    return data == null ? file : data;
  }

  /** The schema of the data folder; without a readable metadata log, only the system tables. */
  private Schema schema(FileSystem files) {
    if (files.exists(LocalMetadataLog.FOLDER)) {
      try {
        return MetadataInspection.state(files, systemKeyspaces).schema();
      } catch (IOException | MetadataException e) {
        note("showing ids instead of names, because the schema cannot be read: " + e.getMessage());
      }
    }
    return Schema.of(systemKeyspaces, new UUID(0, 0), 0);
  }

  private void note(String text) {
    err.println("note: " + text);
  }
}
