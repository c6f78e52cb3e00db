/** Tests of the administration endpoint and its commands against outputs of Cassandra. */
@NullMarked
package io.helenus.server.admin;

import org.jspecify.annotations.NullMarked;
