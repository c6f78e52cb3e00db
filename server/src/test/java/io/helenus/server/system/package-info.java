/** Tests of the system keyspaces and of the tables whose rows are computed when they are read. */
@NullMarked
package io.helenus.server.system;

import org.jspecify.annotations.NullMarked;
