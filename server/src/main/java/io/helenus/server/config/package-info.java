/**
 * {@code conf/helenus.yaml} and {@code -D key=value} into one immutable {@link
 * io.helenus.server.config.Settings}, once, before anything starts. Every key stands in {@link
 * io.helenus.server.config.Setting}. Imports nothing of Helenus.
 */
@NullMarked
package io.helenus.server.config;

import org.jspecify.annotations.NullMarked;
