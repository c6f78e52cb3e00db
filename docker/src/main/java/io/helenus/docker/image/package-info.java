/** Makes the contents of the image; and is not part of them. */
@NullMarked
package io.helenus.docker.image;

import org.jspecify.annotations.NullMarked;
