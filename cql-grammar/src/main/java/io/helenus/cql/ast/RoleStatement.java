package io.helenus.cql.ast;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Statements on roles, users, permissions and identities. */
public sealed interface RoleStatement extends Statement {

  /** Datacenters or CIDR groups that a role may be used from. */
  sealed interface Access {
    /** {@code ALL}. */
    record All() implements Access {}

    /** {@code {'a', 'b'}}. */
    record Only(Set<String> names) implements Access {
      /** Copies the set. */
      public Only {
        names = Set.copyOf(names);
      }
    }
  }

  /**
   * The options of a role in WITH; null for absent ones.
   *
   * @param hashedPassword a bcrypt hash, validated on execution
   * @param options custom options, in the order of the text
   */
  record RoleOptions(
      @Nullable String password,
      @Nullable String hashedPassword,
      @Nullable Boolean superuser,
      @Nullable Boolean login,
      @Nullable Map<String, String> options,
      @Nullable Access datacenters,
      @Nullable Access cidrs) {
    /** Copies the map, keeping its order. */
    public RoleOptions {
      options = options == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }
  }

  /**
   * CREATE ROLE, or CREATE USER.
   *
   * @param user whether USER was written (then login is true)
   */
  record CreateRole(String role, boolean user, boolean ifNotExists, RoleOptions options)
      implements RoleStatement {
    @Override
    public String feature() {
      return user ? "CREATE USER" : "CREATE ROLE";
    }
  }

  /** ALTER ROLE, or ALTER USER. */
  record AlterRole(String role, boolean user, boolean ifExists, RoleOptions options)
      implements RoleStatement {
    @Override
    public String feature() {
      return user ? "ALTER USER" : "ALTER ROLE";
    }
  }

  /** DROP ROLE, or DROP USER. */
  record DropRole(String role, boolean user, boolean ifExists) implements RoleStatement {
    @Override
    public String feature() {
      return user ? "DROP USER" : "DROP ROLE";
    }
  }

  /**
   * LIST ROLES.
   *
   * @param of null for all roles
   */
  record ListRoles(@Nullable String of, boolean recursive) implements RoleStatement {
    @Override
    public String feature() {
      return "LIST ROLES";
    }
  }

  /** LIST USERS. */
  record ListUsers() implements RoleStatement {
    @Override
    public String feature() {
      return "LIST USERS";
    }
  }

  /** LIST SUPERUSERS. */
  record ListSuperusers() implements RoleStatement {
    @Override
    public String feature() {
      return "LIST SUPERUSERS";
    }
  }

  /** GRANT role TO grantee. */
  record GrantRole(String role, String grantee) implements RoleStatement {
    @Override
    public String feature() {
      return "GRANT ROLE";
    }
  }

  /** REVOKE role FROM revokee. */
  record RevokeRole(String role, String revokee) implements RoleStatement {
    @Override
    public String feature() {
      return "REVOKE ROLE";
    }
  }

  /** GRANT permissions ON resource TO grantee. */
  record GrantPermissions(Set<Permission> permissions, Resource resource, String grantee)
      implements RoleStatement {
    /** Copies the set. */
    public GrantPermissions {
      permissions = Set.copyOf(permissions);
    }

    @Override
    public String feature() {
      return "GRANT";
    }
  }

  /** REVOKE permissions ON resource FROM revokee. */
  record RevokePermissions(Set<Permission> permissions, Resource resource, String revokee)
      implements RoleStatement {
    /** Copies the set. */
    public RevokePermissions {
      permissions = Set.copyOf(permissions);
    }

    @Override
    public String feature() {
      return "REVOKE";
    }
  }

  /**
   * LIST permissions.
   *
   * @param resource null for all resources
   * @param of null for all roles
   */
  record ListPermissions(
      Set<Permission> permissions,
      @Nullable Resource resource,
      @Nullable String of,
      boolean recursive)
      implements RoleStatement {
    /** Copies the set. */
    public ListPermissions {
      permissions = Set.copyOf(permissions);
    }

    @Override
    public String feature() {
      return "LIST PERMISSIONS";
    }
  }

  /** ADD IDENTITY identity TO ROLE role. */
  record AddIdentity(String identity, String role, boolean ifNotExists) implements RoleStatement {
    @Override
    public String feature() {
      return "ADD IDENTITY";
    }
  }

  /** DROP IDENTITY identity. */
  record DropIdentity(String identity, boolean ifExists) implements RoleStatement {
    @Override
    public String feature() {
      return "DROP IDENTITY";
    }
  }

  /** A permission. */
  enum Permission {
    CREATE,
    ALTER,
    DROP,
    SELECT,
    MODIFY,
    AUTHORIZE,
    DESCRIBE,
    EXECUTE,
    UNMASK,
    SELECT_MASKED
  }

  /** A resource that permissions apply to. */
  sealed interface Resource {
    /** {@code ALL KEYSPACES}. */
    record AllKeyspaces() implements Resource {}

    /** {@code KEYSPACE name}. */
    record Keyspace(String keyspace) implements Resource {}

    /** {@code ALL TABLES IN KEYSPACE name}. */
    record AllTables(String keyspace) implements Resource {}

    /** {@code [TABLE] name}. */
    record Table(QualifiedName table) implements Resource {}

    /** {@code ALL ROLES}. */
    record AllRoles() implements Resource {}

    /** {@code ROLE name}. */
    record Role(String role) implements Resource {}

    /** {@code ALL FUNCTIONS}. */
    record AllFunctions() implements Resource {}

    /** {@code ALL FUNCTIONS IN KEYSPACE name}. */
    record KeyspaceFunctions(String keyspace) implements Resource {}

    /** {@code FUNCTION name(types)}. */
    record Function(QualifiedName function, List<TypeName> argumentTypes) implements Resource {
      /** Copies the list. */
      public Function {
        argumentTypes = List.copyOf(argumentTypes);
      }
    }

    /** {@code ALL MBEANS}. */
    record AllMbeans() implements Resource {}

    /** {@code MBEAN 'name'} or {@code MBEANS 'pattern'}: the name as written. */
    record Mbean(String objectName) implements Resource {}
  }
}
