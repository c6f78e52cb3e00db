package io.helenus.storage.env;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The operating system's files below one folder. Any thread. Files are read and written by
 * position, never mapped, because a page fault would stall the caller. Threads that use them must
 * not be interrupted, because an interrupt closes the channel.
 */
public final class DiskFileSystem implements FileSystem {
  private static final String BOOT_ID_FILE = "/proc/sys/kernel/random/boot_id";
  private static final Set<StandardOpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private final Path root;
  private final Set<StandardOpenOption> openOptions;
  private byte @org.jspecify.annotations.Nullable [] bootId;

  /** The files below a folder, which is created if it does not exist. */
  public DiskFileSystem(Path root) throws IOException {
    this(root, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    makeFolders(this.root);
  }

  private DiskFileSystem(Path root, Set<StandardOpenOption> openOptions) {
    this.root = root.toAbsolutePath().normalize();
    this.openOptions = openOptions;
  }

  /** The files below this folder, opened for reading alone; nothing is created. */
  public static DiskFileSystem readOnly(Path root) {
    return new DiskFileSystem(root, Set.of(StandardOpenOption.READ));
  }

  @Override
  public void createFolders(String path) throws IOException {
    makeFolders(resolve(path));
  }

  private static void makeFolders(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw DiskFile.named("folder " + folder, "created", e);
    }
  }

  @Override
  public List<String> list(String folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(resolve(folder))) {
      for (Path path : stream) {
        names.add(String.valueOf(path.getFileName()));
      }
    } catch (NoSuchFileException absent) {
      return names;
    }
    return names;
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(resolve(path));
  }

  @Override
  public File create(String path) throws IOException {
    return create(resolve(path));
  }

  @Override
  public File createPrivate(String path) throws IOException {
    return create(
        resolve(path),
        PosixFilePermissions.asFileAttribute(
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
  }

  private static File create(Path file, FileAttribute<?>... attributes) throws IOException {
    try {
      return new DiskFile(file.toString(), FileChannel.open(file, NEW_FILE, attributes));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(file + " already exists", e);
    } catch (IOException e) {
      throw DiskFile.named(file.toString(), "created", e);
    }
  }

  @Override
  public File open(String path) throws IOException {
    Path file = resolve(path);
    try {
      return new DiskFile(file.toString(), FileChannel.open(file, openOptions));
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    } catch (IOException e) {
      throw DiskFile.named(file.toString(), "opened", e);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        resolve(from),
        resolve(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void link(String existing, String path) throws IOException {
    Files.createLink(resolve(path), resolve(existing));
  }

  @Override
  public void delete(String path) throws IOException {
    Files.delete(resolve(path));
  }

  @Override
  public void deleteFolder(String path) throws IOException {
    Files.delete(resolve(path));
  }

  @Override
  public void syncFolder(String folder) throws IOException {
    Path path = resolve(folder);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw DiskFile.named(path.toString(), "synced", e);
    }
  }

  @Override
  public Lock lock(String path) throws IOException {
    Path file = resolve(path);
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw DiskFile.named(file.toString(), "created", e);
    }
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException(root + " is in use by another node in this process", e);
    } catch (IOException e) {
      channel.close();
      throw DiskFile.named(file.toString(), "locked", e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException(
          root + " is in use by another node; give each node its own data folder");
    }
    return new HeldLock(channel);
  }

  /** Writes through the channel that is locked: closing any other would end the lock. */
  private record HeldLock(FileChannel channel) implements Lock {
    @Override
    public void recordProcess() throws IOException {
      byte[] text = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(text), 0);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  @Override
  public synchronized byte[] bootId() {
    byte[] known = bootId;
    if (known == null) {
      known = readBootId();
      bootId = known;
    }
    return known.clone();
  }

  private static byte[] readBootId() {
    String text;
    try {
      text = Files.readString(Path.of(BOOT_ID_FILE), StandardCharsets.US_ASCII);
    } catch (IOException unknownHere) {
      return new byte[0];
    }
    byte[] bytes = new byte[16];
    int digits = 0;
    for (int i = 0; i < text.length() && digits < 32; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit >= 0) {
        bytes[digits / 2] = (byte) (bytes[digits / 2] << 4 | digit);
        digits++;
      }
    }
    return digits == 32 ? bytes : new byte[0];
  }

  private Path resolve(String path) {
    return root.resolve(path);
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
