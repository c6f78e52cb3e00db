package io.helenus.cql.parser;

import io.helenus.cql.ast.RoleStatement.Permission;
import io.helenus.cql.ast.RoleStatement.Resource;
import java.util.EnumSet;
import java.util.Set;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** The permissions applicable to each resource; the reference's parser rejects the others. */
final class ResourcePermissions {
  private ResourcePermissions() {}

  /** The permissions that apply to the resource; fails if none does. */
  static Set<Permission> applicable(Set<Permission> permissions, Resource resource) {
    Set<Permission> applicable = EnumSet.copyOf(applicableTo(resource));
    applicable.retainAll(permissions);
    if (applicable.isEmpty()) {
      throw CqlSyntaxException.syntax(
          "Resource type "
              + className(resource)
              + " does not support any of the requested permissions");
    }
    return applicable;
  }

  private static Set<Permission> applicableTo(Resource resource) {
    return switch (resource) {
      case Resource.AllKeyspaces _, Resource.Keyspace _, Resource.AllTables _ ->
          EnumSet.of(
              Permission.CREATE,
              Permission.ALTER,
              Permission.DROP,
              Permission.SELECT,
              Permission.MODIFY,
              Permission.AUTHORIZE,
              Permission.UNMASK,
              Permission.SELECT_MASKED);
      case Resource.Table _ ->
          EnumSet.of(
              Permission.ALTER,
              Permission.DROP,
              Permission.SELECT,
              Permission.MODIFY,
              Permission.AUTHORIZE,
              Permission.UNMASK,
              Permission.SELECT_MASKED);
      case Resource.AllRoles _ ->
          EnumSet.of(
              Permission.CREATE,
              Permission.ALTER,
              Permission.DROP,
              Permission.AUTHORIZE,
              Permission.DESCRIBE);
      case Resource.Role _ -> EnumSet.of(Permission.ALTER, Permission.DROP, Permission.AUTHORIZE);
      case Resource.AllFunctions _, Resource.KeyspaceFunctions _ ->
          EnumSet.of(
              Permission.CREATE,
              Permission.ALTER,
              Permission.DROP,
              Permission.AUTHORIZE,
              Permission.EXECUTE);
      case Resource.Function _ ->
          EnumSet.of(Permission.ALTER, Permission.DROP, Permission.AUTHORIZE, Permission.EXECUTE);
      case Resource.AllMbeans _, Resource.Mbean _ ->
          EnumSet.of(
              Permission.AUTHORIZE,
              Permission.DESCRIBE,
              Permission.EXECUTE,
              Permission.MODIFY,
              Permission.SELECT);
    };
  }

  private static String className(Resource resource) {
    return switch (resource) {
      case Resource.AllKeyspaces _, Resource.Keyspace _, Resource.AllTables _, Resource.Table _ ->
          "DataResource";
      case Resource.AllRoles _, Resource.Role _ -> "RoleResource";
      case Resource.AllFunctions _, Resource.KeyspaceFunctions _, Resource.Function _ ->
          "FunctionResource";
      case Resource.AllMbeans _, Resource.Mbean _ -> "JMXResource";
    };
  }

  /** A bean by name, or beans by pattern; the name must be a valid JMX object name. */
  static Resource bean(String objectName, boolean pattern) {
    if (objectName.isEmpty()) {
      throw CqlSyntaxException.syntax("Empty JMX object name supplied");
    }
    if (objectName.equals("*:*")) {
      throw CqlSyntaxException.syntax("Please use ALL MBEANS instead of wildcard pattern");
    }
    try {
      ObjectName name = ObjectName.getInstance(objectName);
      if (pattern && !name.isPattern()) {
        throw CqlSyntaxException.syntax(
            "Plural form used, but non-pattern JMX object name specified (" + objectName + ")");
      }
      return new Resource.Mbean(name.getCanonicalName());
    } catch (MalformedObjectNameException e) {
      throw CqlSyntaxException.syntax(objectName + " is not a valid JMX object name");
    }
  }
}
