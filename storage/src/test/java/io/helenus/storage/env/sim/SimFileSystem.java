package io.helenus.storage.env.sim;

import io.helenus.storage.env.DiskFullException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory file system with the worst behaviour of real ones. {@link #losePower} discards any
 * part of what was not synced: bytes by sector; creations, links, renames and deletions after some
 * point. {@link #killProcess} loses nothing, but the operation in progress may be executed in part.
 * Other faults are injected with {@link Faults}. Not thread safe.
 */
public final class SimFileSystem implements FileSystem {
  /** An operation on a file or folder. */
  public enum Operation {
    CREATE,
    LINK,
    OPEN,
    READ,
    WRITE,
    SYNC,
    TRUNCATE,
    RENAME,
    DELETE,
    SYNC_FOLDER
  }

  /** Injects faults. */
  public interface Faults {
    /** No faults. */
    Faults NONE = (operation, path) -> {};

    /** Throws to make an operation fail, or returns to let it proceed. */
    void before(Operation operation, String path) throws IOException;
  }

  /** An unsynced creation, link, rename or deletion. */
  private record FolderChange(
      String folder, String path, @Nullable String target, @Nullable SimInode inode) {}

  private final SimRandomness randomness;
  private final Map<String, SimInode> files = new TreeMap<>();
  private final Map<String, SimInode> durableFiles = new TreeMap<>();
  private final List<FolderChange> folderChanges = new ArrayList<>();
  private final Set<String> locks = new HashSet<>();
  private Faults faults = Faults.NONE;
  private long capacityBytes = Long.MAX_VALUE;
  private long operations;
  private long crashAtOperation = -1;
  private boolean down;
  private int life;
  private long bootId = 1;

  /** An empty disk whose behaviour after a crash follows from the randomness. */
  public SimFileSystem(SimRandomness randomness) {
    this.randomness = randomness;
  }

  /** The number of modifying operations so far. */
  public long operations() {
    return operations;
  }

  /** Crashes at the n-th modifying operation from now (1: the next one). */
  public void crashAfter(long operationCount) {
    crashAtOperation = operations + operationCount;
  }

  /** Sets the injected faults. */
  public void faults(Faults newFaults) {
    faults = newFaults;
  }

  /** Sets the capacity of the disk in bytes; Long.MAX_VALUE for unlimited. */
  public void capacity(long bytes) {
    capacityBytes = bytes;
  }

  /** The capacity of the disk in bytes; Long.MAX_VALUE if unlimited. */
  public long capacity() {
    return capacityBytes;
  }

  /** The size of all files in bytes. */
  public long usedBytes() {
    Set<SimInode> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    distinct.addAll(files.values());
    return distinct.stream().mapToLong(SimInode::size).sum();
  }

  /** The paths of all files, in order. */
  public List<String> paths() {
    return List.copyOf(files.keySet());
  }

  /** Flips a bit of a file, durably. */
  public void flip(String path, long position, int bit) {
    inode(path).flip(position, bit);
  }

  /** A copy of a file's bytes. */
  public byte[] contents(String path) {
    SimInode inode = inode(path);
    return java.util.Arrays.copyOf(inode.data(), inode.size());
  }

  /** Replaces a file's contents durably. */
  public void replace(String path, byte[] bytes) {
    SimInode inode = inode(path);
    inode.truncate(0);
    inode.write(0, bytes);
    inode.sync();
  }

  private SimInode inode(String path) {
    SimInode inode = files.get(path);
    if (inode == null) {
      throw new AssertionError("no file " + path + " among " + files.keySet());
    }
    return inode;
  }

  /**
   * Kills the process: open files are closed, locks released, no write is lost. The disk works
   * again.
   */
  public void killProcess() {
    restart();
  }

  /** Cuts the power and restarts the machine. */
  public void losePower() {
    int kept = randomness.below(folderChanges.size() + 1);
    for (int i = 0; i < kept; i++) {
      harden(folderChanges.get(i));
    }
    folderChanges.clear();
    Set<SimInode> all = Collections.newSetFromMap(new IdentityHashMap<>());
    files.clear();
    for (Map.Entry<String, SimInode> entry : durableFiles.entrySet()) {
      if (all.add(entry.getValue())) {
        entry.getValue().losePower(randomness);
      }
      files.put(entry.getKey(), entry.getValue());
    }
    bootId++;
    restart();
  }

  private void restart() {
    locks.clear();
    life++;
    down = false;
    crashAtOperation = -1;
  }

  private void check(Operation operation, String path) throws IOException {
    if (down) {
      throw new SimulatedCrash(operation + " " + path);
    }
    if (operation != Operation.READ
        && operation != Operation.OPEN
        && ++operations == crashAtOperation) {
      down = true;
    } else {
      faults.before(operation, path);
    }
  }

  private void crashIfDown(Operation operation, String path) {
    if (down) {
      throw new SimulatedCrash(operation + " " + path);
    }
  }

  @Override
  public void createFolders(String path) {
    // folders are implicit
  }

  @Override
  public List<String> list(String folder) {
    Set<String> names = new LinkedHashSet<>();
    String prefix = folder + "/";
    for (String path : files.keySet()) {
      if (path.startsWith(prefix)) {
        int slash = path.indexOf('/', prefix.length());
        names.add(path.substring(prefix.length(), slash < 0 ? path.length() : slash));
      }
    }
    return List.copyOf(names);
  }

  @Override
  public boolean exists(String path) {
    return files.containsKey(path);
  }

  @Override
  public File create(String path) throws IOException {
    check(Operation.CREATE, path);
    if (files.containsKey(path)) {
      throw new IOException(path + " already exists");
    }
    if (down && randomness.percent(50)) {
      crashIfDown(Operation.CREATE, path);
    }
    SimInode inode = new SimInode();
    files.put(path, inode);
    folderChanges.add(new FolderChange(folderOf(path), path, null, inode));
    crashIfDown(Operation.CREATE, path);
    return new SimFile(path, inode, life);
  }

  @Override
  public File createPrivate(String path) throws IOException {
    return create(path);
  }

  @Override
  public void link(String existing, String path) throws IOException {
    check(Operation.LINK, path);
    SimInode inode = files.get(existing);
    if (inode == null) {
      throw new IOException(existing + " does not exist");
    }
    if (files.containsKey(path)) {
      throw new IOException(path + " already exists");
    }
    if (!down || randomness.percent(50)) {
      files.put(path, inode);
      folderChanges.add(new FolderChange(folderOf(path), path, null, inode));
    }
    crashIfDown(Operation.LINK, path);
  }

  @Override
  public void deleteFolder(String path) {
    // folders are implicit
  }

  @Override
  public File open(String path) throws IOException {
    check(Operation.OPEN, path);
    SimInode inode = files.get(path);
    if (inode == null) {
      throw new IOException(path + " does not exist");
    }
    return new SimFile(path, inode, life);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    check(Operation.RENAME, from);
    SimInode inode = files.get(from);
    if (inode == null) {
      throw new IOException(from + " does not exist");
    }
    if (!down || randomness.percent(50)) {
      files.remove(from);
      files.put(to, inode);
      folderChanges.add(new FolderChange(folderOf(to), from, to, inode));
    }
    crashIfDown(Operation.RENAME, from);
  }

  @Override
  public void delete(String path) throws IOException {
    check(Operation.DELETE, path);
    if (!files.containsKey(path)) {
      throw new IOException(path + " does not exist");
    }
    if (!down || randomness.percent(50)) {
      files.remove(path);
      folderChanges.add(new FolderChange(folderOf(path), path, null, null));
    }
    crashIfDown(Operation.DELETE, path);
  }

  @Override
  public void syncFolder(String folder) throws IOException {
    check(Operation.SYNC_FOLDER, folder);
    crashIfDown(Operation.SYNC_FOLDER, folder);
    for (Iterator<FolderChange> i = folderChanges.iterator(); i.hasNext(); ) {
      FolderChange change = i.next();
      if (change.folder.equals(folder)) {
        harden(change);
        i.remove();
      }
    }
  }

  private void harden(FolderChange change) {
    SimInode inode = change.inode;
    if (inode == null) {
      durableFiles.remove(change.path);
    } else if (change.target == null) {
      durableFiles.put(change.path, inode);
    } else {
      durableFiles.remove(change.path);
      durableFiles.put(change.target, inode);
    }
  }

  private static String folderOf(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  @Override
  public Lock lock(String path) throws IOException {
    if (!locks.add(path)) {
      throw new IOException("the data folder is in use by another node");
    }
    int holder = life;
    return new Lock() {
      @Override
      public void recordProcess() {
        // all nodes of a simulation are one process
      }

      @Override
      public void close() {
        if (holder == life) {
          locks.remove(path);
        }
      }
    };
  }

  @Override
  public long usableBytes() {
    return capacityBytes == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : Math.max(0, capacityBytes - usedBytes());
  }

  @Override
  public byte[] bootId() {
    return new byte[] {(byte) (bootId >>> 8), (byte) bootId, 1};
  }

  private final class SimFile implements File {
    private final String path;
    private final SimInode inode;
    private final int openedIn;
    private boolean closed;

    SimFile(String path, SimInode inode, int openedIn) {
      this.path = path;
      this.inode = inode;
      this.openedIn = openedIn;
    }

    private void checkOpen() throws IOException {
      if (closed || openedIn != life) {
        throw new IOException(path + " is closed");
      }
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long size() throws IOException {
      checkOpen();
      return inode.size();
    }

    @Override
    public void write(long position, MemorySegment source, long offset, long length)
        throws IOException {
      checkOpen();
      check(Operation.WRITE, path);
      byte[] bytes = source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
      if (down) {
        bytes = java.util.Arrays.copyOf(bytes, randomness.below(bytes.length + 1));
      }
      long growth = Math.max(0, position + bytes.length - inode.size());
      if (growth > 0 && capacityBytes != Long.MAX_VALUE && usedBytes() + growth > capacityBytes) {
        throw new DiskFullException(path + " cannot be written: no space left");
      }
      inode.write(position, bytes);
      crashIfDown(Operation.WRITE, path);
    }

    @Override
    public long read(long position, MemorySegment target, long offset, long length)
        throws IOException {
      checkOpen();
      check(Operation.READ, path);
      long count = Math.max(0, Math.min(length, inode.size() - position));
      MemorySegment.copy(
          inode.data(), (int) position, target, ValueLayout.JAVA_BYTE, offset, (int) count);
      return count;
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      check(Operation.SYNC, path);
      crashIfDown(Operation.SYNC, path);
      inode.sync();
    }

    @Override
    public void truncate(long size) throws IOException {
      checkOpen();
      check(Operation.TRUNCATE, path);
      crashIfDown(Operation.TRUNCATE, path);
      inode.truncate(size);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
