package io.helenus.server.error;

import java.util.List;

/**
 * An error response: the codes of the native protocol v5, section 9, each with its extra fields.
 * Immutable; any thread. Consistency levels are the protocol's codes (section 3).
 */
public sealed interface CqlError {
  /** The error code of the native protocol. */
  int code();

  /** The human-readable message. */
  String message();

  /** 0x0000: an internal error. */
  record ServerError(String message) implements CqlError {
    @Override
    public int code() {
      return 0x0000;
    }
  }

  /** 0x000A: the client violated the protocol. */
  record ProtocolError(String message) implements CqlError {
    @Override
    public int code() {
      return 0x000A;
    }
  }

  /** 0x0100: authentication is required or failed. */
  record BadCredentials(String message) implements CqlError {
    @Override
    public int code() {
      return 0x0100;
    }
  }

  /** 0x1000: fewer replicas are alive than the consistency level requires. */
  record Unavailable(String message, int consistencyCode, int required, int alive)
      implements CqlError {
    @Override
    public int code() {
      return 0x1000;
    }
  }

  /** 0x1001: the node is overloaded. */
  record Overloaded(String message) implements CqlError {
    @Override
    public int code() {
      return 0x1001;
    }
  }

  /** 0x1002: the node is still bootstrapping. */
  record IsBootstrapping(String message) implements CqlError {
    @Override
    public int code() {
      return 0x1002;
    }
  }

  /** 0x1003: a truncation failed. */
  record TruncateError(String message) implements CqlError {
    @Override
    public int code() {
      return 0x1003;
    }
  }

  /** 0x1100: a write was not acknowledged in time. Contentions are for the write type CAS only. */
  record WriteTimeout(
      String message,
      int consistencyCode,
      int received,
      int blockFor,
      String writeType,
      int contentions)
      implements CqlError {
    @Override
    public int code() {
      return 0x1100;
    }
  }

  /** 0x1200: a read was not answered in time. */
  record ReadTimeout(
      String message, int consistencyCode, int received, int blockFor, boolean dataPresent)
      implements CqlError {
    @Override
    public int code() {
      return 0x1200;
    }
  }

  /** Why one replica failed (v5): its address (4 or 16 bytes) and a reason code. */
  record FailureReason(byte[] address, int reasonCode) {}

  /** 0x1300: a replica failed to read. */
  record ReadFailure(
      String message,
      int consistencyCode,
      int received,
      int blockFor,
      List<FailureReason> failures,
      boolean dataPresent)
      implements CqlError {
    @Override
    public int code() {
      return 0x1300;
    }
  }

  /** 0x1400: a function failed. */
  record FunctionFailure(
      String message, String keyspace, String function, List<String> argumentTypes)
      implements CqlError {
    @Override
    public int code() {
      return 0x1400;
    }
  }

  /** 0x1500: a replica failed to write. */
  record WriteFailure(
      String message,
      int consistencyCode,
      int received,
      int blockFor,
      List<FailureReason> failures,
      String writeType)
      implements CqlError {
    @Override
    public int code() {
      return 0x1500;
    }
  }

  /** 0x1600: a write to the change data capture (CDC) log failed. */
  record CdcWriteFailure(String message) implements CqlError {
    @Override
    public int code() {
      return 0x1600;
    }
  }

  /** 0x1700 (v5): the outcome of a conditional write is unknown. */
  record CasWriteUnknown(String message, int consistencyCode, int received, int blockFor)
      implements CqlError {
    @Override
    public int code() {
      return 0x1700;
    }
  }

  /** 0x2000: the statement does not parse. */
  record SyntaxError(String message) implements CqlError {
    @Override
    public int code() {
      return 0x2000;
    }
  }

  /** 0x2100: the user lacks a permission. */
  record Unauthorized(String message) implements CqlError {
    @Override
    public int code() {
      return 0x2100;
    }
  }

  /** 0x2200: the statement is well-formed but invalid. */
  record Invalid(String message) implements CqlError {
    @Override
    public int code() {
      return 0x2200;
    }
  }

  /** 0x2300: a schema option is invalid. */
  record ConfigError(String message) implements CqlError {
    @Override
    public int code() {
      return 0x2300;
    }
  }

  /** 0x2400: the keyspace or table already exists; the table name is empty for a keyspace. */
  record AlreadyExists(String message, String keyspace, String table) implements CqlError {
    @Override
    public int code() {
      return 0x2400;
    }
  }

  /** 0x2500: no statement with this id is prepared here. */
  record Unprepared(String message, byte[] id) implements CqlError {
    @Override
    public int code() {
      return 0x2500;
    }
  }
}
