package io.helenus.server.faults;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A node's data folder, for tests that corrupt its files. */
record DataFolder(Path path) {
  /** Copies this folder to another one, replacing its contents. */
  DataFolder copyTo(Path target) {
    try {
      delete(target);
      for (Path from : tree(path)) {
        Path to = target.resolve(path.relativize(from).toString());
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
      }
      return new DataFolder(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> tree(Path root) throws IOException {
    try (Stream<Path> found = Files.walk(root)) {
      return found.toList();
    }
  }

  private static void delete(Path root) throws IOException {
    if (Files.exists(root)) {
      for (Path each : tree(root).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** The files of a subfolder with this suffix, sorted. */
  List<Path> files(String folder, String end) {
    try (Stream<Path> found = Files.list(path.resolve(folder))) {
      return found.filter(file -> file.toString().endsWith(end)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ByteBuffer read(Path file) {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Overwrites bytes of a file in place. */
  static void overwrite(Path file, long offset, byte[] bytes) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        int written = channel.write(rest, offset + rest.position());
        assert written >= 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flips one bit of a byte; a second call restores it. */
  static void flip(Path file, long offset, int bit) {
    byte old = read(file).get((int) offset);
    overwrite(file, offset, new byte[] {(byte) (old ^ 1 << bit)});
  }

  /** Creates another path to a folder. */
  static void link(Path from, Path to) {
    try {
      Path made = Files.createSymbolicLink(from, to);
      assert Files.exists(made);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a statement that must succeed. */
  static Response run(CqlClient client, String cql) {
    Response response = client.query(cql);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(cql + " → " + failure.code() + " " + failure.message());
    }
    return response;
  }
}
