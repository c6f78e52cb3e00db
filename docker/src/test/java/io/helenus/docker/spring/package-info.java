/** Spring Boot with a container of the image. */
@NullMarked
package io.helenus.docker.spring;

import org.jspecify.annotations.NullMarked;
