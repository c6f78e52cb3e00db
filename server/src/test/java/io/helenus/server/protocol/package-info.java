/** Tests of the native protocol's codecs, judged by the test client and by Cassandra's bytes. */
@NullMarked
package io.helenus.server.protocol;

import org.jspecify.annotations.NullMarked;
