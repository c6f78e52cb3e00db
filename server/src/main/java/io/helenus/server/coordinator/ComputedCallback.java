package io.helenus.server.coordinator;

/** Receives the outcome of a computed write, once, on the shard that started it. */
public interface ComputedCallback extends FailureCallback {
  /** The write was computed from durable rows, and its mutation, if any, is durable. */
  void computed(ComputedResult result);
}
