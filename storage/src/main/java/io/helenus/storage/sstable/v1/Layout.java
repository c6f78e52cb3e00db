package io.helenus.storage.sstable.v1;

/** The constants of storage/docs/sstable.md. */
final class Layout {
  /** "HELENUST". */
  static final long HEADER_MAGIC = 0x48454C454E555354L;

  /** "TSUNELEH". */
  static final long FOOTER_MAGIC = 0x5453554E454C4548L;

  static final int VERSION = 1;
  static final int REQUIRED_FEATURES = 0;
  static final int OPTIONAL_FEATURES = 0;

  /** Magic, version, header length, features. */
  static final int HEADER_FIXED_BYTES = 20;

  /** Footer length, crc, version, magic. */
  static final int FOOTER_TAIL_BYTES = 18;

  static final int BLOCK_BYTES = 16 * 1024;
  static final int RESTART_INTERVAL = 16;

  /** Compression and length before a block's contents. */
  static final int BLOCK_HEADER_BYTES = 5;

  static final int BLOCK_TRAILER_BYTES = 4;
  static final int COMPRESSION_NONE = 0;
  static final int COMPRESSION_LZ4 = 1;

  static final int BLOCK_PARTITION_DELETION = 0x01;
  static final int BLOCK_RANGE_DELETION = 0x02;
  static final int BLOCK_BOUNDS = 0x04;
  static final int BLOCK_TOKENS_OMITTED = 0x08;

  static final int SECTION_TOP_INDEX = 1;
  static final int SECTION_FILTER = 2;
  static final int SECTION_STATISTICS = 3;
  static final int SECTION_LOG_POSITIONS = 4;
  static final int SECTION_LARGEST_PARTITION = 5;
  static final int SECTION_PARTITIONS = 6;

  /** The highest type that this version knows. */
  static final int SECTION_LAST = SECTION_PARTITIONS;

  static final int SECTION_REQUIRED = 0x01;
  static final int SECTION_ENTRY_BYTES = 24;
  static final int SECTION_LIMIT = 64;

  private Layout() {}

  /** The name of a section in storage/docs/sstable.md, or its number if it is unknown. */
  static String sectionName(int type) {
    return switch (type) {
      case SECTION_TOP_INDEX -> "top index";
      case SECTION_FILTER -> "filter";
      case SECTION_STATISTICS -> "statistics";
      case SECTION_LOG_POSITIONS -> "log positions";
      case SECTION_LARGEST_PARTITION -> "largest partition";
      case SECTION_PARTITIONS -> "partitions";
      default -> Integer.toString(type);
    };
  }
}
