/** Tests of the built server with Java clients other than the plain Java driver 4. */
@NullMarked
package io.helenus.clients;

import org.jspecify.annotations.NullMarked;
