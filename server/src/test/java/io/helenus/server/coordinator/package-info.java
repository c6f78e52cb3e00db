/** Tests of the coordinator's parts that need no node. */
@NullMarked
package io.helenus.server.coordinator;

import org.jspecify.annotations.NullMarked;
