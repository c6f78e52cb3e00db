package io.helenus.clients.springdata;

import java.util.List;
import org.springframework.data.cassandra.core.mapping.UserDefinedType;

/** Who made a book: a user type. */
@UserDefinedType("maker")
public record Maker(String name, List<String> places) {}
