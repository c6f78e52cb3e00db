/** Tests of the container image with a real engine. */
@NullMarked
package io.helenus.docker;

import org.jspecify.annotations.NullMarked;
