package io.helenus.storage.reply;

/** The tags of a data reply: storage/docs/raw-read.md. Stateless. */
final class ReplyFormat {
  static final int VERSION = 1;
  static final int PARTITION_DELETED = 0x01;
  static final int END = 0;
  static final int ROW = 1;
  static final int BOUND = 2;
  static final int ELEMENT = 3;
  static final int GAP = 4;
  static final int POSITION = 1;

  private ReplyFormat() {}
}
