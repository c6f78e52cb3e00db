/** Tests of {@code server.consensus}. */
@org.jspecify.annotations.NullMarked
package io.helenus.server.consensus;
