/** Tests of background jobs and the files they share. */
@NullMarked
package io.helenus.storage.job;

import org.jspecify.annotations.NullMarked;
