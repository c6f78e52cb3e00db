package io.helenus.storage.env;

/** Random bits; in the simulation drawn from its seed. Any thread. */
public interface Randomness {
  /** 64 random bits. */
  long nextLong();
}
