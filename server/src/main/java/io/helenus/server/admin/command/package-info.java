/** The commands of the administration endpoint, with the output of Cassandra's nodetool. */
@NullMarked
package io.helenus.server.admin.command;

import org.jspecify.annotations.NullMarked;
