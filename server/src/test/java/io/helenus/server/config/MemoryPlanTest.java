package io.helenus.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryPlanTest {
  private static final long MIB = 1 << 20;

  private static MemoryPlan plan(long automaticMebibytes, String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder().autoMemory(automaticMebibytes * MIB);
    ConfigFile.read("helenus.yaml", text, builder);
    return builder.build().memory();
  }

  private static long sum(MemoryPlan plan) {
    return plan.heapBytes()
        + plan.jvmBytes()
        + 2 * plan.memtableBytes()
        + plan.blockCacheBytes()
        + plan.filterBytes()
        + plan.compactionBytes()
        + plan.requestBytes()
        + plan.answerBytes();
  }

  @ParameterizedTest
  @ValueSource(longs = {224, 256, 512, 1024, 8192, 24576, 262144})
  void theSharesAreTheWhole(long mebibytes) throws ConfigException {
    MemoryPlan plan = plan(mebibytes, "");
    assertEquals(mebibytes * MIB, plan.totalBytes());
    assertEquals(plan.totalBytes(), sum(plan));
  }

  @Test
  void aLargerMachineHasALargerCacheAndMemtables() throws ConfigException {
    MemoryPlan small = plan(512, "");
    MemoryPlan large = plan(8192, "");
    assertTrue(large.blockCacheBytes() > 8 * small.blockCacheBytes());
    assertTrue(large.memtableBytes() > 8 * small.memtableBytes());
    assertEquals(64 * MIB, plan(256, "").heapBytes());
    assertEquals(1024 * MIB, large.heapBytes());
  }

  @Test
  void theKeyPrecedesTheMachine() throws ConfigException {
    assertEquals(512 * MIB, plan(8192, "memory: 512MiB").totalBytes());
    assertEquals(8192 * MIB, plan(8192, "memory: auto").totalBytes());
  }

  @Test
  void keysOfSingleSharesTakeFromTheCache() throws ConfigException {
    MemoryPlan plan = plan(1024, "memtable_offheap_space: 128MiB");
    assertEquals(128 * MIB, plan.memtableBytes());
    assertEquals(plan.totalBytes(), sum(plan));
    assertEquals(64 * MIB, plan(1024, "block_cache_size: 64MiB").blockCacheBytes());
  }

  @Test
  void whatCannotHoldIsRefusedWithTheKeys() {
    assertEquals(
        "helenus.yaml:1: memory of 512MiB cannot hold the heap (96MiB), the JVM (80MiB), twice"
            + " memtable_offheap_space (42MiB), block_cache_size (1024MiB),"
            + " native_transport_max_request_data_in_flight (28MiB), and 91MiB for answers,"
            + " compactions and filters: raise memory to 3337MiB or lower the other keys",
        assertThrows(ConfigException.class, () -> plan(0, "memory: 512MiB\nblock_cache_size: 1GiB"))
            .getMessage());
    assertEquals(
        "helenus.yaml:1: memory needs at least 224MiB, not '100MiB'",
        assertThrows(ConfigException.class, () -> plan(0, "memory: 100MiB")).getMessage());
    assertEquals(
        "helenus.yaml:1: memory needs auto or a size with a unit (B, KiB, MiB, GiB) such as 1GiB,"
            + " not 'lots'",
        assertThrows(ConfigException.class, () -> plan(0, "memory: lots")).getMessage());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 64, 96, 512, 4096})
  void theMemoryThatIsAdvisedIsEnough(long heapMebibytes) throws ConfigException {
    String keys = "block_cache_size: 1GiB\nmemtable_offheap_space: 300MiB\n";
    Settings.Builder small = new Settings.Builder().heap(heapMebibytes * MIB);
    ConfigFile.read("helenus.yaml", "memory: 512MiB\n" + keys, small);
    String refusal = assertThrows(ConfigException.class, small::build).getMessage();
    long advised =
        Long.parseLong(refusal.replaceAll(".*raise memory to (\\d+)MiB or lower.*", "$1"));
    // a heap that the launcher had chosen grows with the memory
    long heap = Math.max(heapMebibytes * MIB, MemoryPlan.heapBytes(advised * MIB));
    Settings.Builder larger = new Settings.Builder().heap(heap);
    ConfigFile.read("helenus.yaml", "memory: " + advised + "MiB\n" + keys, larger);
    assertEquals(advised * MIB, larger.build().memory().totalBytes());
  }

  @Test
  void aHeapThatWasLimitedOtherwiseIsPartOfTheMemory() throws ConfigException {
    MemoryPlan plan =
        new Settings.Builder().autoMemory(1024 * MIB).heap(512 * MIB).build().memory();
    assertEquals(512 * MIB, plan.heapBytes());
    assertEquals(1024 * MIB, sum(plan));
    Settings.Builder tooMuch = new Settings.Builder().autoMemory(1024 * MIB).heap(1000 * MIB);
    assertThrows(ConfigException.class, tooMuch::build);
  }

  @Test
  void theSharesLimitTheNativeMemory() throws ConfigException {
    MemoryPlan plan = plan(1024, "");
    NodeMemory memory = plan.allocate(PageDiscard.NONE);
    assertEquals(2 * plan.memtableBytes(), memory.share(Use.MEMTABLES).limitBytes());
    assertEquals(plan.answerBytes(), memory.share(Use.ANSWERS).limitBytes());
    assertEquals(plan.blockCacheBytes(), memory.share(Use.BLOCK_CACHE).limitBytes());
  }
}
