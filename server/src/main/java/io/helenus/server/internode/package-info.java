/**
 * Links between the nodes of a cluster ({@code docs/internode.md}): the streams they run on,
 * frames, handshake, messages and their replies. Knows neither metadata nor rows. Imports {@code
 * metrics} and {@code shard}, and of storage {@code bytes}, {@code env} and {@code memory}.
 */
@NullMarked
package io.helenus.server.internode;

import org.jspecify.annotations.NullMarked;
