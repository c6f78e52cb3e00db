/** The image with Testcontainers 1. */
@NullMarked
package io.helenus.docker.older;

import org.jspecify.annotations.NullMarked;
