/**
 * Native functions and aggregates: overload resolution and evaluation on wire bytes. Functions that
 * depend on time or randomness get both through {@link
 * io.helenus.server.functions.FunctionContext}.
 *
 * <p>Entry class: {@link io.helenus.server.functions.NativeFunctions}. Imports {@code error},
 * {@code types}, {@code ring} (the token of a key), and of storage {@code bytes} and {@code env}.
 */
@NullMarked
package io.helenus.server.functions;

import org.jspecify.annotations.NullMarked;
