/** Tests of the command line tool. */
@NullMarked
package io.helenus.server.nodetool;

import org.jspecify.annotations.NullMarked;
