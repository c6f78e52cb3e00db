/**
 * Links between the nodes of a cluster ({@code docs/internode.md}): the streams they run on,
 * frames, handshake, messages and their replies. Entry classes: {@link
 * io.helenus.server.internode.Links} for what a shard asks of others, {@link
 * io.helenus.server.internode.Inbound} for what others ask. Knows neither metadata nor rows.
 * Imports {@code shard}, and of storage {@code bytes}, {@code env} and {@code memory}.
 */
@NullMarked
package io.helenus.server.internode;

import org.jspecify.annotations.NullMarked;
