package io.helenus.server.advice;

/**
 * Recognizes one way in which a table will cost its owner dearly. Stateless; any thread. A rule
 * stays silent when in doubt: advice that is wrong once is not read again.
 */
interface Rule {
  /** The short name: lower case, with hyphens. It names the page in {@code docs/advice}. */
  String name();

  /** Judges a table; leaves what it finds in the review. */
  void judge(Review review);
}
