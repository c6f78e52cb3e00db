/** Tests of the coordinator. */
@NullMarked
package io.helenus.server.coordinator;

import org.jspecify.annotations.NullMarked;
