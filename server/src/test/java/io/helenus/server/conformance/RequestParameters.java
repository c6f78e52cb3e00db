package io.helenus.server.conformance;

import io.helenus.server.client.BodyWriter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes the parameters that QUERY and EXECUTE share, and the tail of BATCH. */
final class RequestParameters {
  private static final int VALUES = 0x01;
  private static final int PAGE_SIZE = 0x04;
  private static final int PAGING_STATE = 0x08;
  private static final int SERIAL_CONSISTENCY = 0x10;
  private static final int DEFAULT_TIMESTAMP = 0x20;
  private static final int NAMES = 0x40;
  private static final int KEYSPACE = 0x80;
  private static final int NOW_IN_SECONDS = 0x100;

  private final Script.Statement statement;
  private final int version;

  RequestParameters(Script.Statement statement, int version) {
    this.statement = statement;
    this.version = version;
  }

  /** Values with or without names. */
  record Values(List<String> names, List<Literal.Bound> values) {
    static final Values NONE = new Values(List.of(), List.of());
  }

  void write(BodyWriter body, Values values, byte @Nullable [] pagingState) {
    Optional<String> pageSize = statement.directive("page");
    int flags = values.values().isEmpty() ? 0 : VALUES;
    flags |= values.names().isEmpty() ? 0 : NAMES;
    flags |= pageSize.isPresent() ? PAGE_SIZE : 0;
    flags |= pagingState != null ? PAGING_STATE : 0;
    body.putShort(consistency());
    writeFlags(body, flags | commonFlags());
    if (!values.values().isEmpty()) {
      writeValues(body, values);
    }
    pageSize.ifPresent(size -> body.putInt(Integer.parseInt(size)));
    if (pagingState != null) {
      body.putBytes(pagingState);
    }
    writeCommon(body);
  }

  /** Without values, at a consistency level that is rejected when the statement is planned. */
  void writePlanningOnly(BodyWriter body) {
    body.putShort(Answer.consistency("NODE_LOCAL"));
    writeFlags(body, commonFlags());
    writeCommon(body);
  }

  void writeBatchTail(BodyWriter body) {
    body.putShort(consistency());
    writeFlags(body, commonFlags());
    writeCommon(body);
  }

  static void writeValues(BodyWriter body, Values values) {
    body.putShort(values.values().size());
    for (int i = 0; i < values.values().size(); i++) {
      if (!values.names().isEmpty()) {
        body.putString(values.names().get(i));
      }
      Literal.Bound value = values.values().get(i);
      if (value.unset()) {
        body.putInt(-2);
      } else {
        body.putBytes(value.bytes());
      }
    }
  }

  private int consistency() {
    return Answer.consistency(statement.directive("consistency").orElse("ONE"));
  }

  private int commonFlags() {
    int flags = statement.directive("serial").isPresent() ? SERIAL_CONSISTENCY : 0;
    flags |= statement.directive("timestamp").isPresent() ? DEFAULT_TIMESTAMP : 0;
    flags |= statement.directive("keyspace").isPresent() ? KEYSPACE : 0;
    flags |= statement.directive("now").isPresent() ? NOW_IN_SECONDS : 0;
    return flags;
  }

  private void writeFlags(BodyWriter body, int flags) {
    if (version >= 5) {
      body.putInt(flags);
    } else {
      body.putByte(flags);
    }
  }

  private void writeCommon(BodyWriter body) {
    statement.directive("serial").ifPresent(level -> body.putShort(Answer.consistency(level)));
    statement.directive("timestamp").ifPresent(micros -> body.putLong(Long.parseLong(micros)));
    statement.directive("keyspace").ifPresent(body::putString);
    statement.directive("now").ifPresent(seconds -> body.putInt(Integer.parseInt(seconds)));
  }
}
