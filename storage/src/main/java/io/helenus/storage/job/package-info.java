/**
 * Shared by the background jobs of a node: the context that they run in, open SSTables and their
 * references, the output of new SSTables, and the accounting of their work. Entry class: {@link
 * io.helenus.storage.job.JobContext}. Imports {@code manifest}, {@code sstable}, {@code run},
 * {@code env} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.job;

import org.jspecify.annotations.NullMarked;
