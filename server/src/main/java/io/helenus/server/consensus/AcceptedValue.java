package io.helenus.server.consensus;

/**
 * A value that a voter has accepted, and the ballot that it was accepted with. Not to be changed.
 */
public record AcceptedValue(Ballot ballot, byte[] value) {}
