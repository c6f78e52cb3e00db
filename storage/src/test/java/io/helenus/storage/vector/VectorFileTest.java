package io.helenus.storage.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.jbellis.jvector.vector.VectorizationProvider;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of vectors: their keys, their graphs, and damage to them. */
class VectorFileTest {
  /** So few that a file has no codes, and so many that it has. */
  private static final int FEW = 4;

  private static final int MANY = 96;

  private static final int VECTORS = 4_000;
  private static final String PATH = "vectors";

  private VectorOptions options = new VectorOptions(FEW, Similarity.EUCLIDEAN, 8, 30);
  private final SimFileSystem files = new SimFileSystem(new SimRandomness(1));
  private final LargeSegments memory = new LargeSegments();
  private final Random random = new Random(5);

  private final List<float[]> vectors = new ArrayList<>();

  private void use(int dimension, Similarity similarity) {
    options = new VectorOptions(dimension, similarity, 8, 30);
    vectors.clear();
  }

  private IndexDescriptor index() {
    return new IndexDescriptor(3, Source.VECTORS, 1, new IndexTerms() {}, options);
  }

  private float[] random() {
    float[] vector = new float[options.dimension()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  /** The prefix of the key of a row: ten rows have the same. */
  private static ByteWriter key(int row) {
    return new ByteWriter(16).putInt(row / 10).putByte(2).putInt(row);
  }

  private void write(int count, GraphLimits graphs) throws IOException {
    while (vectors.size() < count) {
      vectors.add(random());
    }
    try (FileSystem.File file = files.create(PATH);
        FileSystem.File keys = files.create(PATH + ".0");
        VectorFileWriter writer = new VectorFileWriter(9, index(), file, keys, graphs, memory)) {
      for (int i = 0; i < count; i++) {
        float[] vector = vectors.get(i);
        ByteWriter key = key(i);
        writer.add(key.segment(), 0, key.size(), 4, vector, VectorScore.squaredLength(vector));
      }
      while (writer.hasManyVectors() && writer.buildGraphs(100)) {
        assertTrue(count > 100);
      }
      writer.finish();
    }
  }

  private VectorFile open() throws IOException {
    try (FileSystem.File file = files.open(PATH)) {
      return VectorFile.open(9, index(), file);
    }
  }

  private static KeyRange all() {
    return KeyRange.range(new ByteWriter(1).segment(), 0, 0, 0);
  }

  private static void list(KeyListing listing, ByteWriter key) {
    listing.add(key.segment(), 0, key.size(), 4);
  }

  private VectorScore score(float[] query) {
    ByteWriter bytes = new ByteWriter(4 * query.length);
    for (float each : query) {
      bytes.putInt(Float.floatToRawIntBits(each));
    }
    return new VectorScore(options, bytes.segment(), 0, bytes.size());
  }

  /** The nearest of some rows, each of which is compared. */
  private List<Integer> nearest(float[] query, IntPredicate rows, int k) {
    VectorScore score = score(query);
    return IntStream.range(0, vectors.size())
        .filter(rows)
        .boxed()
        .sorted(
            Comparator.comparing(
                row -> -score.of(vectors.get(row), VectorScore.squaredLength(vectors.get(row)))))
        .limit(k)
        .toList();
  }

  private List<Integer> search(VectorFile file, float[] query, KeyRange range, int k) {
    return search(file, query, range, null, k);
  }

  private List<Integer> search(
      VectorFile file, float[] query, KeyRange range, @Nullable KeyListing listing, int k) {
    NearestSearch search =
        new NearestSearch(
            score(query), range, listing, List.of(new NearestSearch.Part(file.reader(), null)));
    NearestCandidates found = new NearestCandidates();
    List<Integer> rows = new ArrayList<>();
    while (rows.size() < k) {
      assertTrue(search.next(Math.min(7, k - rows.size()), found));
      if (found.size() == 0) {
        break;
      }
      for (int i = 0; i < found.size(); i++) {
        rows.add(Bytes.getInt(found.keys().segment(), found.keyOffset(i) + 5));
      }
    }
    return rows;
  }

  @Test
  void allVectorsAreFoundInBatches() throws IOException {
    write(VECTORS, new GraphLimits(100, 400_000, 1));
    VectorFile file = open();
    assertTrue(file.reader().nodesPerGraph() > 1200, "enough to be searched");
    assertTrue(file.reader().nodesPerGraph() < VECTORS / 2, "several graphs");
    List<Integer> rows = search(file, random(), all(), VECTORS + 1);
    assertTrue(rows.size() > VECTORS * 0.98 && rows.size() <= VECTORS, rows.size() + " rows");
    assertEquals(rows.size(), rows.stream().distinct().count());
  }

  @Test
  void rowsOfAPartitionAndListedOnesAreSearched() throws IOException {
    write(VECTORS, new GraphLimits(100, 2 << 20, 1));
    VectorFile file = open();
    ByteWriter prefix = new ByteWriter(4).putInt(17);
    KeyRange partition = KeyRange.partition(prefix.segment(), 0, 4);
    List<Integer> rows = search(file, random(), partition, 100);
    rows.sort(null);
    assertEquals(List.of(170, 171, 172, 173, 174, 175, 176, 177, 178, 179), rows);
    KeyListing listed = new KeyListing(memory);
    list(listed, new ByteWriter(8).putInt(3).putByte(1));
    for (int row : new int[] {1999, 5000, 170, 175, 170, 1999}) {
      list(listed, key(row));
    }
    assertEquals(5, listed.sort().size());
    rows = search(file, random(), all(), listed, 100);
    rows.sort(null);
    assertEquals(List.of(30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 170, 175, 1999), rows);
  }

  @Test
  void aGraphIsSearchedUnderARange() throws IOException {
    write(VECTORS, new GraphLimits(100, 2 << 20, 1));
    VectorFile file = open();
    assertTrue(file.reader().nodesPerGraph() >= VECTORS, "one graph");
    ByteWriter bounds = new ByteWriter(8).putInt(50).putInt(390);
    KeyRange range = KeyRange.range(bounds.segment(), 0, 4, 4);
    int right = 0;
    for (int i = 0; i < 10; i++) {
      float[] query = random();
      List<Integer> expected =
          search(file, query, all(), 200).stream()
              .filter(row -> row >= 500 && row < 3900)
              .limit(10)
              .toList();
      List<Integer> found = search(file, query, range, 10);
      assertEquals(10, found.size());
      assertTrue(found.stream().allMatch(row -> row >= 500 && row < 3900), found.toString());
      right += (int) expected.stream().filter(found::contains).count();
    }
    assertTrue(right >= 95, right + " of 100");
  }

  @ParameterizedTest
  @EnumSource
  void listedVectorsAreComparedExactlyAlsoIfThereAreCodes(Similarity similarity)
      throws IOException {
    use(MANY, similarity);
    write(VECTORS, new GraphLimits(100, 400_000, 1));
    VectorFile file = open();
    assertTrue(file.reader().nodesPerGraph() < VECTORS / 2, "several graphs");
    KeyListing listed = new KeyListing(memory);
    for (int row = 7; row < VECTORS; row += 3) {
      list(listed, key(row));
    }
    for (int i = 0; i < 10; i++) {
      float[] query = random();
      List<Integer> expected = nearest(query, row -> row % 3 == 1 && row >= 7, 200);
      assertEquals(expected, search(file, query, all(), listed, 200));
    }
  }

  @ParameterizedTest
  @EnumSource
  void graphsAreSearchedByCodes(Similarity similarity) throws IOException {
    use(MANY, similarity);
    write(VECTORS, new GraphLimits(100, 400_000, 1));
    assertFound(20, 0.95);
  }

  /** In small clusters at two points so far from each other that codes have nothing but these. */
  @Test
  void vectorsThatCodesDoNotTellApartAreFound() throws IOException {
    random.setSeed(0); // with some, few edges lead from one point to the other
    use(MANY, Similarity.EUCLIDEAN);
    List<float[]> centres = Stream.generate(this::random).limit(100).toList();
    for (int i = 0; i < VECTORS; i++) {
      vectors.add(near(centres.get(random.nextInt(centres.size()))));
    }
    write(VECTORS, new GraphLimits(100, 2 << 20, 1));
    assertTrue(open().reader().graphWidth() < 20, "easy to search");
    int right = 0;
    for (int i = 0; i < 20; i++) {
      right += found(near(centres.get(i)), 10);
    }
    assertTrue(right > 190, right + " of 200");
  }

  private float[] near(float[] centre) {
    float[] vector = new float[centre.length];
    float place = random.nextBoolean() ? 1000 : -1000;
    for (int i = 0; i < vector.length; i++) {
      float apart = i < 4 ? 0.4f * (float) random.nextGaussian() : 0;
      vector[i] = place + centre[i] + apart;
    }
    return vector;
  }

  private void assertFound(int searches, double least) throws IOException {
    int right = 0;
    for (int i = 0; i < searches; i++) {
      right += found(random(), 10);
    }
    assertTrue(right >= least * 10 * searches, right + " of " + 10 * searches);
  }

  /** How many of the nearest are found. */
  private int found(float[] query, int k) throws IOException {
    List<Integer> expected = nearest(query, row -> true, k);
    return (int) search(open(), query, all(), k).stream().filter(expected::contains).count();
  }

  @Test
  void anEmptyFileHasNothing() throws IOException {
    write(0, new GraphLimits(100, 2 << 20, 1));
    assertEquals(List.of(), search(open(), random(), all(), 10));
  }

  @ParameterizedTest
  @ValueSource(ints = {FEW, MANY})
  void damageIsNoticedWhereverItIsRead(int dimension) throws IOException {
    use(dimension, Similarity.EUCLIDEAN);
    write(VECTORS, new GraphLimits(100, 2 << 20, 1));
    float[] query = random();
    List<Integer> expected = search(open(), query, all(), 10);
    long size;
    try (FileSystem.File file = files.open(PATH)) {
      size = file.size();
    }
    int noticed = 0;
    for (long position = 0; position < size; position += 977) {
      files.flip(PATH, position, (int) (position % 8));
      try {
        assertEquals(expected, search(open(), query, all(), 10), "damage at " + position);
      } catch (StorageException damage) {
        assertTrue(damage.getMessage().startsWith(PATH + " is damaged at "));
        noticed++;
      }
      files.flip(PATH, position, (int) (position % 8));
    }
    assertTrue(noticed > 10, noticed + " noticed");
    for (long position = size - VectorLayout.FOOTER_BYTES; position < size; position++) {
      files.flip(PATH, position, 3);
      assertThrows(StorageException.class, this::open);
      files.flip(PATH, position, 3);
    }
    assertEquals(expected, search(open(), query, all(), 10));
  }

  /** Its native library would compute on Java arrays through memory segments. */
  @Test
  void theLibraryOfGraphsComputesInJava() throws IOException {
    write(200, new GraphLimits(100, 2 << 20, 1));
    String provider = VectorizationProvider.getInstance().getClass().getSimpleName();
    boolean hasModule = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    assertEquals(
        hasModule ? "PanamaVectorizationProvider" : "DefaultVectorizationProvider", provider);
    assertEquals("false", System.getProperty("jvector.enable_native_vectorization"));
  }
}
