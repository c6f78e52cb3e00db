/**
 * Reads {@code conf/helenus.yaml} and {@code -D key=value} into one immutable {@link
 * io.helenus.server.config.Settings} before anything starts. {@link
 * io.helenus.server.config.Setting} defines every key. Imports nothing of Helenus.
 */
@NullMarked
package io.helenus.server.config;

import org.jspecify.annotations.NullMarked;
