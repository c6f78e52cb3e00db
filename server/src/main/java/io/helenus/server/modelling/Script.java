package io.helenus.server.modelling;

/**
 * A text with statements. Immutable.
 *
 * @param name of its file, as messages show it
 * @param text the whole text
 */
public record Script(String name, String text) {}
