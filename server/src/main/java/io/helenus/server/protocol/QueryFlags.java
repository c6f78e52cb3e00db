package io.helenus.server.protocol;

/** The flags of query parameters (native protocol v5, section 4.1.4). */
final class QueryFlags {
  static final int VALUES = 0x01;
  static final int SKIP_METADATA = 0x02;
  static final int PAGE_SIZE = 0x04;
  static final int PAGING_STATE = 0x08;
  static final int SERIAL_CONSISTENCY = 0x10;
  static final int DEFAULT_TIMESTAMP = 0x20;
  static final int NAMES_FOR_VALUES = 0x40;
  static final int KEYSPACE = 0x80;
  static final int NOW_IN_SECONDS = 0x100;

  private QueryFlags() {}
}
