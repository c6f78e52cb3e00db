package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;

/**
 * The body of ERROR (native protocol v5, section 9): code, message, and the fields of the code. A
 * code that is unknown to an older version is replaced by the closest one it knows. Stateless.
 */
public final class ErrorBody {
  private static final int WRITE_TIMEOUT = 0x1100;
  private static final int READ_TIMEOUT = 0x1200;
  private static final int INVALID = 0x2200;

  private ErrorBody() {}

  /** ERROR. */
  public static void write(ByteWriter out, int version, CqlError error) {
    int code = codeFor(version, error);
    out.putInt(code);
    WireWriter.message(out, message(code, error));
    fields(out, version, code, error);
  }

  /** The message, after the name of a code that the version does not know, as in Cassandra. */
  private static String message(int code, CqlError error) {
    return code == INVALID && error instanceof CqlError.FunctionFailure
        ? "ERROR FUNCTION_FAILURE: " + error.message()
        : error.message();
  }

  /**
   * Appends the fields of the error's code; errors without fields have no branch here. A pattern
   * switch would let the virtual machine generate a class at the first error of the process, which
   * delays the answers to reads that a shutdown cancels by milliseconds.
   */
  private static void fields(ByteWriter out, int version, int code, CqlError error) {
    if (error instanceof CqlError.Unavailable it) {
      out.putShort(it.consistencyCode()).putInt(it.required()).putInt(it.alive());
    } else if (error instanceof CqlError.WriteTimeout it) {
      out.putShort(it.consistencyCode()).putInt(it.received()).putInt(it.blockFor());
      WireWriter.string(out, it.writeType());
      if (version >= ProtocolVersions.V5 && "CAS".equals(it.writeType())) {
        out.putShort(it.contentions());
      }
    } else if (error instanceof CqlError.ReadTimeout it) {
      out.putShort(it.consistencyCode()).putInt(it.received()).putInt(it.blockFor());
      out.putByte(it.dataPresent() ? 1 : 0);
    } else if (error instanceof CqlError.ReadFailure it) {
      out.putShort(it.consistencyCode()).putInt(it.received()).putInt(it.blockFor());
      failures(out, version, code, it.failures());
      out.putByte(it.dataPresent() ? 1 : 0);
    } else if (error instanceof CqlError.WriteFailure it) {
      out.putShort(it.consistencyCode()).putInt(it.received()).putInt(it.blockFor());
      failures(out, version, code, it.failures());
      WireWriter.string(out, it.writeType());
    } else if (error instanceof CqlError.CasWriteUnknown it) {
      out.putShort(it.consistencyCode()).putInt(it.received()).putInt(it.blockFor());
      if (code == WRITE_TIMEOUT) {
        WireWriter.string(out, "CAS");
      }
    } else if (error instanceof CqlError.FunctionFailure it) {
      if (version >= ProtocolVersions.V4) {
        WireWriter.string(out, it.keyspace());
        WireWriter.string(out, it.function());
        WireWriter.stringList(out, it.argumentTypes());
      }
    } else if (error instanceof CqlError.AlreadyExists it) {
      WireWriter.string(out, it.keyspace());
      WireWriter.string(out, it.table());
    } else if (error instanceof CqlError.Unprepared it) {
      WireWriter.shortBytes(out, it.id());
    }
  }

  /** The error's code, or the closest one that the version knows. */
  private static int codeFor(int version, CqlError error) {
    if (version >= ProtocolVersions.V5) {
      return error.code();
    }
    if (error instanceof CqlError.CasWriteUnknown) {
      return WRITE_TIMEOUT;
    }
    if (version >= ProtocolVersions.V4) {
      return error.code();
    }
    if (error instanceof CqlError.ReadFailure) {
      return READ_TIMEOUT;
    }
    if (error instanceof CqlError.WriteFailure) {
      return WRITE_TIMEOUT;
    }
    boolean refused =
        error instanceof CqlError.FunctionFailure || error instanceof CqlError.CdcWriteFailure;
    return refused ? INVALID : error.code();
  }

  private static void failures(
      ByteWriter out, int version, int code, List<CqlError.FailureReason> failures) {
    if (code == WRITE_TIMEOUT || code == READ_TIMEOUT) {
      return;
    }
    out.putInt(failures.size());
    if (version >= ProtocolVersions.V5) {
      for (CqlError.FailureReason failure : failures) {
        out.putByte(failure.address().length).putBytes(failure.address());
        out.putShort(failure.reasonCode());
      }
    }
  }
}
