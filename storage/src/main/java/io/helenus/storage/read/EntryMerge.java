package io.helenus.storage.read;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.List;

/** Skeleton. */
public final class EntryMerge extends Entry implements AutoCloseable {
  private final List<EntryCursor> inputs;

  /** Skeleton. */
  public EntryMerge(List<EntryCursor> inputs, TableDescriptor table, PurgeRules rules) {
    this.inputs = inputs;
  }

  /** Only keys in [lower, upper); an empty upper leaves the end open. Before the first next. */
  public EntryMerge range(byte[] lower, byte[] upper) {
    return this;
  }

  /** Goes to the next merged entry; false at the end. */
  public boolean next() {
    return !inputs.isEmpty();
  }

  /** Closes the inputs. */
  @Override
  public void close() {
    for (EntryCursor input : inputs) {
      input.close();
    }
  }
}
