/** Tests of the replies of replicas. */
@NullMarked
package io.helenus.storage.reply;

import org.jspecify.annotations.NullMarked;
