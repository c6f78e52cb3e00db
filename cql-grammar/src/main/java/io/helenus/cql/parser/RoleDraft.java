package io.helenus.cql.parser;

import io.helenus.cql.ast.RoleStatement;
import io.helenus.cql.ast.RoleStatement.Access;
import io.helenus.cql.ast.RoleStatement.RoleOptions;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A CREATE or ALTER of a role or user being parsed. */
final class RoleDraft {
  private @Nullable String password;
  private @Nullable String hashedPassword;
  @Nullable Boolean superuser;
  private @Nullable Boolean login;
  private @Nullable Map<String, String> options;
  private final Set<String> datacenters = new LinkedHashSet<>();
  private boolean allDatacenters;
  private final Set<String> cidrs = new LinkedHashSet<>();
  private boolean allCidrs;

  void password(String value) {
    refuseSecond(password, "PASSWORD");
    password = value;
  }

  void hashedPassword(String value) {
    refuseSecond(hashedPassword, "HASHED_PASSWORD");
    hashedPassword = value;
  }

  void superuser(String value) {
    refuseSecond(superuser, "SUPERUSER");
    superuser = Boolean.valueOf(value);
  }

  void login(String value) {
    refuseSecond(login, "LOGIN");
    login = Boolean.valueOf(value);
  }

  void options(Map<String, String> value) {
    refuseSecond(options, "OPTIONS");
    options = value;
  }

  private static void refuseSecond(@Nullable Object before, String option) {
    if (before != null) {
      throw CqlSyntaxException.syntax("Multiple definition for property '" + option + "'");
    }
  }

  /** Adds ALL DATACENTERS; returns an error, or null. */
  @Nullable String allDatacenters() {
    allDatacenters = true;
    return datacenters.isEmpty() ? null : "IllegalArgumentException DCs have already been set";
  }

  /** Adds a datacenter; returns an error, or null. */
  @Nullable String datacenter(String name) {
    datacenters.add(name);
    return allDatacenters ? "IllegalArgumentException All has been set" : null;
  }

  /** Adds ALL CIDRS; returns an error, or null. */
  @Nullable String allCidrs() {
    allCidrs = true;
    return cidrs.isEmpty() ? null : "IllegalArgumentException CIDR Groups have already been set";
  }

  /** Adds a CIDR group; returns an error, or null. */
  @Nullable String cidr(String name) {
    cidrs.add(name);
    return allCidrs ? "IllegalArgumentException All has been set" : null;
  }

  RoleStatement createUser(String name, boolean ifNotExists) {
    login = true;
    return new RoleStatement.CreateRole(name, true, ifNotExists, build());
  }

  RoleStatement createRole(String name, boolean ifNotExists) {
    return new RoleStatement.CreateRole(name, false, ifNotExists, build());
  }

  RoleStatement alter(String name, boolean user, boolean ifExists) {
    return new RoleStatement.AlterRole(name, user, ifExists, build());
  }

  private RoleOptions build() {
    if (password != null && hashedPassword != null) {
      throw CqlSyntaxException.syntax(
          "Options 'password' and 'hashed password' are mutually exclusive");
    }
    return new RoleOptions(
        password,
        hashedPassword,
        superuser,
        login,
        options,
        access(allDatacenters, datacenters),
        access(allCidrs, cidrs));
  }

  private static @Nullable Access access(boolean all, Set<String> names) {
    if (all) {
      return new Access.All();
    }
    return names.isEmpty() ? null : new Access.Only(names);
  }
}
