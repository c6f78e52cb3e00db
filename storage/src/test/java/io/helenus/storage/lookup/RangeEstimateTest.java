package io.helenus.storage.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.TableDescriptor.Compression;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import io.helenus.storage.sstable.v1.V1Format;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Estimates of how many entries are in a range, compared with how many there are. */
class RangeEstimateTest {
  private static final int TERMS = 1000;

  /** More entries than a block has. */
  private static final int ENTRIES_OF_A_BLOCK = 1_200;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final SlabPool pool = new SlabPool(Arena.ofAuto());

  /** Does not have a block when it is asked for it the first time. */
  private static final class SlowBlocks implements BlockSource {
    private final DirectBlocks blocks = new DirectBlocks();
    private boolean isLoaded = true;

    @Override
    public @Nullable Block acquire(Sstable file, long position, int storedLength, int length) {
      isLoaded = !isLoaded;
      return isLoaded ? blocks.acquire(file, position, storedLength, length) : null;
    }

    @Override
    public void release(Block block) {
      blocks.release(block);
    }
  }

  /** A file with entries of random terms; counts those of each term. */
  private Sstable file(SimRandomness random, String name, int[] counts) throws IOException {
    TermTree tree = new TermTree(pool);
    ByteWriter key = new ByteWriter(64);
    ByteWriter plain = new ByteWriter(8);
    for (int i = random.below(40_000); i >= 0; i--) {
      int term = random.below(TERMS);
      counts[term]++;
      key.clear().putInt(term);
      plain.clear().putInt(i);
      KeyFormat.putPartition(i * 0x9E3779B97F4A7C15L, plain.segment(), 0, 4, key);
      int prefix = key.size();
      key.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
      tree.add(key, prefix, 4);
    }
    FileSystem.File file = new SimFileSystem(random).create(name);
    SstableWriter.Options options = SstableWriter.Options.ofIndex(1, Compression.NONE);
    EntryCursor entries = tree.cursor();
    try (SstableWriter writer = new V1Format().create(file, options)) {
      EntryCursor.Step step = entries.first();
      while (step == EntryCursor.Step.READY) {
        writer.add(entries);
        step = entries.next();
      }
      writer.finish();
    }
    tree.free();
    return new V1Format().open(file);
  }

  private static IndexRange range(int from, int to) {
    ByteWriter lower = new ByteWriter(4).putInt(from);
    ByteWriter upper = new ByteWriter(4).putInt(to);
    ReadRequest request = new ReadRequest().reset(1, 0);
    request.partitions(lower.segment(), 0, 0, upper.segment(), 0, 0);
    request.index(
        9, lower.segment(), 0, from == 0 ? 0 : 4, upper.segment(), 0, to == TERMS ? 0 : 4);
    return new IndexRange(request);
  }

  private static double estimate(List<Sstable> files, IndexRange range, SimRandomness random) {
    try (RangeEstimate estimate =
        new RangeEstimate(files, range, new SlowBlocks(), () -> random.percent(30))) {
      while (estimate.advance() != FoundKeys.Step.END) {
        // other tasks would run here
      }
      return estimate.entries();
    }
  }

  @Test
  void anEstimateIsOffByABlockOfEachFileAtMost() throws Exception {
    seeds.each(
        20,
        seed -> {
          SimRandomness random = new SimRandomness(seed);
          int[] counts = new int[TERMS];
          List<Sstable> files = new ArrayList<>();
          for (int i = random.below(4); i >= 0; i--) {
            files.add(file(random, "1-" + i + ".1.idx", counts));
          }
          long all = 0;
          for (int count : counts) {
            all += count;
          }
          assertEquals(all, RangeEstimate.allEntries(files));
          for (int i = 0; i < 20; i++) {
            int from = random.below(TERMS);
            int to = from + 1 + random.below(TERMS - from);
            int expected = 0;
            for (int term = from; term < to; term++) {
              expected += counts[term];
            }
            double estimated = estimate(files, range(from, to), random);
            assertTrue(
                Math.abs(estimated - expected) <= ENTRIES_OF_A_BLOCK * files.size(),
                "terms " + from + " to " + to + ": " + estimated + " instead of " + expected);
          }
        });
  }
}
