/** The two sides of a copy: addresses, sessions, requests that are repeated when they time out. */
@NullMarked
package io.helenus.copy.cluster;

import org.jspecify.annotations.NullMarked;
