package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code compression} option. All of Cassandra's compressors are accepted and stored;
 * storage always uses LZ4 unless compression is disabled. Stateless.
 */
final class CompressionOption {
  private static final String PACKAGE = "org.apache.cassandra.io.compress.";
  private static final String CHUNK = "chunk_length_in_kb";
  private static final String RATIO = "min_compress_ratio";
  private static final String LZ4_TYPE = "lz4_compressor_type";
  private static final String LZ4_LEVEL = "lz4_high_compressor_level";
  private static final String LEVEL = "compression_level";
  private static final Set<String> NAMES =
      Set.of(
          "LZ4Compressor",
          "SnappyCompressor",
          "DeflateCompressor",
          "ZstdCompressor",
          "NoopCompressor");

  private CompressionOption() {}

  static SortedMap<String, String> resolve(Map<String, String> given) {
    TreeMap<String, String> rest = new TreeMap<>(given);
    String enabled = rest.remove("enabled");
    boolean off = enabled != null && !Boolean.parseBoolean(enabled);
    if (!given.isEmpty() && !off && !given.containsKey("class")) {
      throw CqlException.configuration("Missing sub-option 'class' for the 'compression' option.");
    }
    if (off && !rest.isEmpty()) {
      throw CqlException.configuration(
          "If the 'enabled' option is set to false no other options must be specified");
    }
    String name = rest.remove("class");
    if (name == null) {
      return new TreeMap<>(Map.of("enabled", "false"));
    }
    return compressor(name, rest);
  }

  private static SortedMap<String, String> compressor(String name, TreeMap<String, String> rest) {
    if (name.isEmpty()) {
      throw CqlException.configuration(
          "The 'class' option must not be empty. To disable compression use 'enabled' : false");
    }
    String chunk = rest.remove(CHUNK);
    int chunkKib = chunk == null ? 16 : chunkKib(chunk);
    String ratio = minimumRatio(rest.remove(RATIO));
    String simpleName = simpleName(name);
    for (String option : rest.keySet()) {
      if (!isKnown(simpleName, option)) {
        throw CqlException.configuration("Unknown compression options " + option);
      }
    }
    validateLz4(rest.get(LZ4_TYPE), rest.get(LZ4_LEVEL));
    validateZstd(rest.get(LEVEL));
    if (chunkKib <= 0) {
      throw CqlException.configuration("Invalid negative or null " + CHUNK);
    }
    if (Integer.bitCount(chunkKib) != 1) {
      throw CqlException.configuration(CHUNK + " must be a power of 2");
    }
    TreeMap<String, String> resolved = new TreeMap<>(rest);
    resolved.put("class", PACKAGE + simpleName);
    resolved.put(CHUNK, Integer.toString(chunkKib));
    if (ratio != null) {
      resolved.put(RATIO, ratio);
    }
    return resolved;
  }

  private static String simpleName(String name) {
    String full = name.indexOf('.') < 0 ? PACKAGE + name : name;
    String simple = full.startsWith(PACKAGE) ? full.substring(PACKAGE.length()) : "";
    if (!NAMES.contains(simple)) {
      throw CqlException.configuration("Could not create Compression for type " + full);
    }
    return simple;
  }

  private static boolean isKnown(String compressor, String option) {
    return switch (option) {
      case LZ4_TYPE, LZ4_LEVEL -> compressor.equals("LZ4Compressor");
      case LEVEL -> compressor.equals("ZstdCompressor");
      default -> false;
    };
  }

  private static int chunkKib(String text) {
    try {
      int kib = Integer.parseInt(text);
      if (kib > Integer.MAX_VALUE / 1024) {
        throw CqlException.configuration("Value of " + CHUNK + " is too large (" + text + ")");
      }
      return kib;
    } catch (NumberFormatException e) {
      throw CqlException.configuration("Invalid value for " + CHUNK);
    }
  }

  private static @Nullable String minimumRatio(@Nullable String text) {
    if (text == null) {
      return null;
    }
    double ratio;
    try {
      ratio = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration("Invalid value for " + RATIO + ": " + text);
    }
    if (ratio < 0) {
      throw CqlException.configuration("Invalid negative " + RATIO);
    }
    if (ratio != 0 && !(ratio >= 1)) {
      throw CqlException.configuration(RATIO + " can either be 0 or greater than or equal to 1");
    }
    return ratio == 0 ? null : Double.toString(ratio);
  }

  private static void validateLz4(@Nullable String type, @Nullable String level) {
    if (type != null && !type.equals("fast") && !type.equals("high")) {
      throw CqlException.configuration(
          "Invalid compressor type '"
              + type
              + "' specified for LZ4 parameter 'lz4_compressor_type'. Valid options are [high,"
              + " fast].");
    }
    if (level != null && !isBetween(level, 1, 17)) {
      throw CqlException.configuration(
          "Invalid value ["
              + level
              + "] for parameter 'lz4_high_compressor_level'. Value must be between 1 and 17.");
    }
  }

  private static boolean isBetween(String text, int low, int high) {
    try {
      int value = Integer.parseInt(text);
      return value >= low && value <= high;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static void validateZstd(@Nullable String level) {
    if (level == null) {
      return;
    }
    String problem;
    try {
      int value = Integer.parseInt(level);
      if (value >= -131_072 && value <= 22) {
        return;
      }
      problem = "IllegalArgumentException compression_level=" + level + " is invalid";
    } catch (NumberFormatException e) {
      problem = "NumberFormatException " + e.getMessage();
    }
    throw CqlException.configuration(
        "ZstdCompressor.create() threw an error: java.lang." + problem);
  }
}
