/**
 * The data replies of replicas (storage/docs/raw-read.md): {@link
 * io.helenus.storage.reply.ReplyWriter} writes one, {@link io.helenus.storage.reply.Replies} makes
 * those of several replicas readable as sorted runs. Imports {@code bytes}, {@code row} and {@code
 * run}.
 */
@NullMarked
package io.helenus.storage.reply;

import org.jspecify.annotations.NullMarked;
