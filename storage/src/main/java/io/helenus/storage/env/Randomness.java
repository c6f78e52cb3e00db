package io.helenus.storage.env;

/** A source of random bits; in the simulation they are derived from its seed. Any thread. */
public interface Randomness {
  /** 64 random bits. */
  long nextLong();
}
