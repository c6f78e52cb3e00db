/** Tests of the protocol codecs against the test client and bytes recorded from Cassandra. */
@NullMarked
package io.helenus.server.protocol;

import org.jspecify.annotations.NullMarked;
