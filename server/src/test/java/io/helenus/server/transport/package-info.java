/** Tests of the transport over real sockets with the test client. */
@NullMarked
package io.helenus.server.transport;

import org.jspecify.annotations.NullMarked;
