/** Tests of the system's keyspaces and of the tables whose rows are made as they are read. */
@NullMarked
package io.helenus.server.system;

import org.jspecify.annotations.NullMarked;
