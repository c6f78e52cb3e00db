package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.node.Node;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.local.LocalStorage;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SyncDroppingFileSystem;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs a node in one thread from many seeds. {@code -Dsimulation.seeds=1000} for the long run,
 * {@code -Dsimulation.first=N} to begin at a seed, e.g. to see one again.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 50);
  private static final long FIRST = Long.getLong("simulation.first", 1);
  private static final int ROUNDS = Integer.getInteger("simulation.rounds", 40);
  private static final int SEEDS_TO_CATCH_A_BUG = 50;

  @Test
  void everySeedAgreesWithTheModel() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Simulation simulation = run(seed, SimNode.Plants.NONE);
      if (seed < FIRST + 3 || seed % 100 == 0) {
        System.out.println(simulation);
      }
    }
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() {
    for (long seed = FIRST; seed < FIRST + 3; seed++) {
      assertEquals(
          run(seed, SimNode.Plants.NONE).hash(),
          run(seed, SimNode.Plants.NONE).hash(),
          "seed " + seed);
    }
  }

  @Test
  void aMissingSyncIsNoticed() {
    assertNoticed(
        "no fsync of the commit log",
        new SimNode.Plants() {
          @Override
          public FileSystem files(FileSystem files) {
            return new SyncDroppingFileSystem(files, path -> path.startsWith("commitlog/"));
          }
        });
  }

  @Test
  void anAnswerBeforeTheLogIsNoticed() {
    assertNoticed(
        "answer before append",
        new SimNode.Plants() {
          @Override
          public Node.StorageOpener opener() {
            return (environment, options, tables) ->
                answeringEarly(LocalStorage.open(environment, options, tables));
          }
        });
  }

  @Test
  void aPurgeThatComesTooEarlyIsNoticed() {
    assertNoticed(
        "purge too early",
        new SimNode.Plants() {
          @Override
          public Node.StorageOpener opener() {
            return (environment, options, tables) ->
                LocalStorage.open(environment, options, tables, (table, nowSeconds) -> nowSeconds);
          }
        });
  }

  private static Simulation run(long seed, SimNode.Plants plants) {
    try {
      Simulation simulation = new Simulation(seed, plants);
      simulation.run(ROUNDS);
      return simulation;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "seed " + seed + " (again with -Dsimulation.first=" + seed + " -Dsimulation.seeds=1)", e);
    }
  }

  private static void assertNoticed(String bug, SimNode.Plants plants) {
    for (long seed = 1; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
      try {
        run(seed, plants);
      } catch (AssertionError e) {
        System.out.println("planted bug '" + bug + "' caught by seed " + seed);
        return;
      }
    }
    assertTrue(false, "planted bug '" + bug + "' was not caught by any seed");
  }

  /** Storage whose engines acknowledge a write as soon as they see it. */
  private static Storage answeringEarly(Storage storage) {
    List<StorageEngine> early = new ArrayList<>();
    for (StorageEngine engine : storage.engines()) {
      early.add(new EarlyEngine(engine));
    }
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) ->
                method.getName().equals("engines") ? early : method.invoke(storage, arguments));
  }

  private record EarlyEngine(StorageEngine engine) implements StorageEngine {
    @Override
    public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
      engine.apply(
          mutation,
          offset,
          length,
          new WriteListener() {
            @Override
            public void onDurable() {}

            @Override
            public void onRefused(Exception cause) {}
          });
      listener.onDurable();
    }

    @Override
    public ReadCursor read(ReadRequest request) {
      return engine.read(request);
    }

    @Override
    public void endTick() {
      engine.endTick();
    }

    @Override
    public CacheStatistics cacheStatistics() {
      return engine.cacheStatistics();
    }

    @Override
    public boolean tickPending() {
      return engine.tickPending();
    }
  }
}
