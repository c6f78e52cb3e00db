/** Tests of the transport over real sockets, judged by the test client. */
@NullMarked
package io.helenus.server.transport;

import org.jspecify.annotations.NullMarked;
