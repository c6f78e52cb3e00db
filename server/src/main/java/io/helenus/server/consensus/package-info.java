/**
 * Paxos registers: machines that decide one value among voters, without files, links and time of
 * their own. Knows neither metadata nor rows.
 *
 * <p>Entry classes: {@link io.helenus.server.consensus.RegisterProposer}, which has a value chosen,
 * and {@link io.helenus.server.consensus.RegisterState}, what a voter has promised and accepted. A
 * value is chosen once a majority of the voters has accepted it with the same {@link
 * io.helenus.server.consensus.Ballot}; no other can be chosen after that. Imports {@code env} of
 * storage (randomness).
 */
@NullMarked
package io.helenus.server.consensus;

import org.jspecify.annotations.NullMarked;
