package io.helenus.server.guardrails;

/**
 * A guardrail that warns about some values, ignores some and rejects others: {@code NAME_warned},
 * {@code NAME_ignored} and {@code NAME_disallowed}.
 */
public enum ValueList {
  /** The options of CREATE TABLE and ALTER TABLE. */
  TABLE_PROPERTIES("table_properties", "Table Properties"),
  /** The consistency levels of reads; none is ignored. */
  READ_CONSISTENCY_LEVELS("read_consistency_levels", "read consistency levels"),
  /** The consistency levels of writes, serial ones included; none is ignored. */
  WRITE_CONSISTENCY_LEVELS("write_consistency_levels", "write consistency levels");

  private final String key;
  private final String what;

  ValueList(String key, String what) {
    this.key = key;
    this.what = what;
  }

  /** The name of the guardrail, with which its settings begin. */
  public String key() {
    return key;
  }

  String what() {
    return what;
  }
}
