/** A Spring Boot application with a repository of Spring Data. */
@NullMarked
package io.helenus.docker.spring.items;

import org.jspecify.annotations.NullMarked;
