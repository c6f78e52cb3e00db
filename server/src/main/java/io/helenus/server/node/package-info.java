/**
 * Builds everything by constructor, starts it, stops it in reverse. Entry class: {@link
 * io.helenus.server.node.Main}. May import every room; no room imports it. Here, and in storage's
 * real environment, threads and clocks are made.
 */
@NullMarked
package io.helenus.server.node;

import org.jspecify.annotations.NullMarked;
