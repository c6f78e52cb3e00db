package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.DescribeStatement;
import io.helenus.cql.ast.DescribeStatement.ElementKind;
import io.helenus.cql.ast.DescribeStatement.Subject;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.RoleStatement;
import io.helenus.cql.ast.RoleStatement.Access;
import io.helenus.cql.ast.RoleStatement.Permission;
import io.helenus.cql.ast.RoleStatement.Resource;
import io.helenus.cql.ast.RoleStatement.RoleOptions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleAndDescribeTest {
  private static Subject subject(String text) {
    return ((DescribeStatement) CqlParser.parse(text)).subject();
  }

  @Test
  void rolesHaveOptions() {
    assertEquals(
        new RoleStatement.CreateRole(
            "R",
            false,
            true,
            new RoleOptions(
                "p",
                null,
                true,
                false,
                Map.of("a", "1"),
                new Access.Only(Set.of("dc1", "dc2")),
                new Access.All())),
        CqlParser.parse(
            "CREATE ROLE IF NOT EXISTS \"R\" WITH PASSWORD = 'p' AND SUPERUSER = true AND LOGIN ="
                + " false AND OPTIONS = {'a': 1} AND ACCESS TO DATACENTERS {'dc1', 'dc2'}"
                + " AND ACCESS FROM ALL CIDRS"));
  }

  @Test
  void usersAreRolesThatCanLogIn() {
    assertEquals(
        new RoleStatement.CreateRole(
            "Bob", true, false, new RoleOptions("p", null, true, true, null, null, null)),
        CqlParser.parse("CREATE USER Bob WITH PASSWORD 'p' SUPERUSER"));
    assertEquals("ALTER USER", CqlParser.parse("ALTER USER bob NOSUPERUSER").feature());
  }

  @Test
  void onlyApplicablePermissionsAreKept() {
    assertEquals(
        new RoleStatement.GrantPermissions(
            Set.of(Permission.ALTER, Permission.DROP, Permission.AUTHORIZE),
            new Resource.Role("x"),
            "r"),
        CqlParser.parse("GRANT ALL ON ROLE x TO r"));
    assertEquals(
        new RoleStatement.RevokePermissions(
            Set.of(Permission.SELECT, Permission.MODIFY),
            new Resource.Table(new QualifiedName("ks", "t")),
            "r"),
        CqlParser.parse("REVOKE SELECT PERMISSION, MODIFY, EXECUTE ON ks.t FROM R"));
  }

  @Test
  void grantsOfRoles() {
    assertEquals(new RoleStatement.GrantRole("a", "B"), CqlParser.parse("GRANT a TO 'B'"));
    assertEquals(new RoleStatement.RevokeRole("a", "b"), CqlParser.parse("REVOKE A FROM B"));
    assertEquals(
        new RoleStatement.ListRoles("a", false), CqlParser.parse("LIST ROLES OF a NORECURSIVE"));
  }

  @Test
  void describeNamesItsSubject() {
    assertEquals(new Subject.Cluster(), subject("DESCRIBE CLUSTER"));
    assertEquals(new Subject.Schema(true), subject("DESC FULL SCHEMA"));
    assertEquals(new Subject.Listing(ElementKind.TABLE), subject("DESCRIBE TABLES"));
    assertEquals(new Subject.Keyspace(null, false), subject("DESCRIBE KEYSPACE"));
    assertEquals(new Subject.Keyspace("ks", true), subject("DESCRIBE ONLY KEYSPACE ks"));
    assertEquals(
        new Subject.Element(ElementKind.INDEX, new QualifiedName("ks", "i")),
        subject("DESCRIBE INDEX ks.i"));
    assertEquals(new Subject.Anything(QualifiedName.of("T")), subject("DESCRIBE \"T\""));
    assertEquals(
        new DescribeStatement(new Subject.Anything(new QualifiedName("a", "b")), true),
        CqlParser.parse("DESCRIBE a.b WITH INTERNALS"));
  }
}
