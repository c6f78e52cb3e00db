package io.helenus.server.query.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * A step of a statement and the steps that it consists of. Not thread-safe.
 *
 * @param step what kind of step, in a word or two
 * @param what it is
 * @param estimate its numbers as estimated
 * @param actual its numbers as measured
 * @param children its steps, in their order
 */
record ExplainNode(
    String step, String what, Figures estimate, Figures actual, List<ExplainNode> children) {
  /** A step without numbers. */
  static ExplainNode of(String step, String what) {
    return new ExplainNode(step, what, new Figures(), new Figures(), new ArrayList<>());
  }

  /** Adds a step. */
  ExplainNode add(ExplainNode child) {
    children.add(child);
    return this;
  }

  /** Adds a step without numbers. */
  ExplainNode add(String childStep, String childWhat) {
    return add(of(childStep, childWhat));
  }
}
