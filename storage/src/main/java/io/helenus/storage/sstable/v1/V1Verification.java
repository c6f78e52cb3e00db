package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.DirectBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads an open file completely and reports every damaged block and section. The data blocks below
 * a damaged index block cannot be located, which is reported too. Blocks; used once, by one thread.
 */
final class V1Verification {
  private final V1Sstable file;
  private final Consumer<String> problems;
  private byte[] lastKey = new byte[0];

  V1Verification(V1Sstable file, Consumer<String> problems) {
    this.file = file;
    this.problems = problems;
  }

  void run() {
    try {
      file.checkFilter();
    } catch (StorageException damage) {
      problems.accept(String.valueOf(damage.getMessage()));
    }
    try (DirectBlocks blocks = file.format().blocks()) {
      MemorySegment top = file.top();
      BlockWalker index = new BlockWalker();
      try {
        index.open(top, 0, (int) top.byteSize());
        index.first();
        do {
          readIndexBlock(index.segment(), index.valueOffset(), blocks);
        } while (index.next());
      } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
        problems.accept(file.path() + " is damaged: its top index cannot be decoded");
      }
    }
  }

  private void readIndexBlock(MemorySegment handle, long at, DirectBlocks blocks) {
    long position = Bytes.getVarint(handle, at);
    Block block = load(handle, at, position, blocks);
    if (block == null) {
      problems.accept(
          file.path()
              + ": the data blocks below the index block at offset "
              + position
              + " cannot be located and were not checked");
      return;
    }
    try {
      BlockWalker index = new BlockWalker();
      index.open(block.segment(), block.offset(), block.length());
      index.first();
      do {
        readDataBlock(index.segment(), index.valueOffset(), blocks);
      } while (index.next());
    } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
      problems.accept(undecodable(position));
    } finally {
      blocks.release(block);
    }
  }

  private void readDataBlock(MemorySegment handle, long at, DirectBlocks blocks) {
    long position = Bytes.getVarint(handle, at);
    Block block = load(handle, at, position, blocks);
    if (block == null) {
      return;
    }
    try {
      BlockWalker data = new BlockWalker();
      data.open(block.segment(), block.offset(), block.length());
      data.first();
      do {
        byte[] key = Bytes.toArray(data.keySegment(), 0, data.keyLength());
        if (lastKey.length > 0 && Arrays.compareUnsigned(key, lastKey) <= 0) {
          problems.accept(
              file.path()
                  + " is damaged: the keys of the block at offset "
                  + position
                  + " are out of order");
          return;
        }
        lastKey = key;
      } while (data.next());
    } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
      problems.accept(undecodable(position));
    } finally {
      blocks.release(block);
    }
  }

  private @Nullable Block load(MemorySegment handle, long at, long position, DirectBlocks blocks) {
    long storedAt = Bytes.varintEnd(handle, at);
    int stored = (int) Bytes.getVarint(handle, storedAt);
    int length = (int) Bytes.getVarint(handle, Bytes.varintEnd(handle, storedAt));
    try {
      return blocks.acquire(file, position, stored, length);
    } catch (StorageException damage) {
      problems.accept(String.valueOf(damage.getMessage()));
      return null;
    }
  }

  private String undecodable(long position) {
    return file.path() + " is damaged: the block at offset " + position + " cannot be decoded";
  }
}
