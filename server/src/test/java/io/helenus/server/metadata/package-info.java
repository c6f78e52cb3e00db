/** Tests of the metadata log and of changes through it, in the simulated world. */
@NullMarked
package io.helenus.server.metadata;

import org.jspecify.annotations.NullMarked;
