/*
 * The grammar of CQL 3.4.7 as Apache Cassandra 5.0 reads it.
 *
 * The handwritten CqlLexer.java supplies the tokens; their names and numbers are in CqlTokens.tokens. Each rule builds its part of the
 * statement (io.helenus.cql.ast) while it matches; there is no parse tree. The methods called by actions are in GrammarActions.java.
 *
 * The structure is constrained. The position of an error, and which of two kinds it is, depend on where alternatives diverge, so
 * alternatives with a common prefix are kept separate where the reference's are, and are not factored. A rule with its own catch
 * tries its first reading and, if that fails, backtracks and takes the other, like the reference's syntactic predicates.
 */
parser grammar CqlGrammar;

options {
  tokenVocab = CqlTokens;
  superClass = GrammarActions;
}

@header {
import io.helenus.cql.ast.*;
import io.helenus.cql.ast.DescribeStatement.ElementKind;
import io.helenus.cql.ast.DescribeStatement.Subject;
import io.helenus.cql.ast.SchemaStatement.*;
import java.util.ArrayList;
}

query returns [Statement value]
    : s=cqlStatement ';'* EOF { $value = $s.value; }
    ;

cqlStatement returns [Statement value]
    : selectStatement { $value = $selectStatement.value; }
    | insertStatement { $value = $insertStatement.value; }
    | updateStatement { $value = $updateStatement.value; }
    | batchStatement { $value = $batchStatement.value; }
    | deleteStatement { $value = $deleteStatement.value; }
    | useStatement { $value = $useStatement.value; }
    | truncateStatement { $value = $truncateStatement.value; }
    | createKeyspaceStatement { $value = $createKeyspaceStatement.value; }
    | createTableStatement { $value = $createTableStatement.value; }
    | createIndexStatement { $value = $createIndexStatement.value; }
    | dropKeyspaceStatement { $value = $dropKeyspaceStatement.value; }
    | dropTableStatement { $value = $dropTableStatement.value; }
    | dropIndexStatement { $value = $dropIndexStatement.value; }
    | alterTableStatement { $value = $alterTableStatement.value; }
    | alterKeyspaceStatement { $value = $alterKeyspaceStatement.value; }
    | grantPermissionsStatement { $value = $grantPermissionsStatement.value; }
    | revokePermissionsStatement { $value = $revokePermissionsStatement.value; }
    | listPermissionsStatement { $value = $listPermissionsStatement.value; }
    | createUserStatement { $value = $createUserStatement.value; }
    | alterUserStatement { $value = $alterUserStatement.value; }
    | dropUserStatement { $value = $dropUserStatement.value; }
    | listUsersStatement { $value = $listUsersStatement.value; }
    | createTriggerStatement { $value = $createTriggerStatement.value; }
    | dropTriggerStatement { $value = $dropTriggerStatement.value; }
    | createTypeStatement { $value = $createTypeStatement.value; }
    | alterTypeStatement { $value = $alterTypeStatement.value; }
    | dropTypeStatement { $value = $dropTypeStatement.value; }
    | createFunctionStatement { $value = $createFunctionStatement.value; }
    | dropFunctionStatement { $value = $dropFunctionStatement.value; }
    | createAggregateStatement { $value = $createAggregateStatement.value; }
    | dropAggregateStatement { $value = $dropAggregateStatement.value; }
    | createRoleStatement { $value = $createRoleStatement.value; }
    | alterRoleStatement { $value = $alterRoleStatement.value; }
    | dropRoleStatement { $value = $dropRoleStatement.value; }
    | listRolesStatement { $value = $listRolesStatement.value; }
    | grantRoleStatement { $value = $grantRoleStatement.value; }
    | revokeRoleStatement { $value = $revokeRoleStatement.value; }
    | createViewStatement { $value = $createViewStatement.value; }
    | dropViewStatement { $value = $dropViewStatement.value; }
    | alterViewStatement { $value = $alterViewStatement.value; }
    | describeStatement { $value = $describeStatement.value; }
    | addIdentityStatement { $value = $addIdentityStatement.value; }
    | dropIdentityStatement { $value = $dropIdentityStatement.value; }
    ;

useStatement returns [Statement value]
    : K_USE keyspaceName { $value = new UseStatement($keyspaceName.value); }
    ;

truncateStatement returns [Statement value]
    : K_TRUNCATE K_COLUMNFAMILY? tableName { $value = new TruncateStatement($tableName.value); }
    ;

// ---------------------------------------------------------------------------------------------------------------------- SELECT

selectStatement returns [Statement value]
    locals [SelectDraft draft = new SelectDraft()]
    : K_SELECT projection[$draft]
      K_FROM tableName { $draft.table = $tableName.value; }
      ( K_WHERE whereClause { $draft.where = $whereClause.value; } )?
      ( K_GROUP K_BY s=unaliasedSelector { $draft.groupBy.add($s.value); }
        ( ',' s=unaliasedSelector { $draft.groupBy.add($s.value); } )* )?
      ( K_ORDER K_BY o=ordering { $draft.orderBy.add($o.value); } ( ',' o=ordering { $draft.orderBy.add($o.value); } )* )?
      ( K_PER K_PARTITION K_LIMIT p=intValue { $draft.perPartitionLimit = $p.value; } )?
      ( K_LIMIT l=intValue { $draft.limit = $l.value; } )?
      ( K_ALLOW K_FILTERING { $draft.allowFiltering = true; } )?
      { $value = $draft.build(bindMarkers()); }
    ;

// JSON and DISTINCT are also column names, so "json - json" has to be tried both ways. ReferencePrediction decides which comes first.
projection[SelectDraft draft]
    locals [int from]
    @init { $from = _input.index(); }
    : K_JSON { draft.json = true; } selectClause[draft]
    | selectClause[draft]
    ;
    catch [RecognitionException e] {
      if (!startsWith(_localctx.from, K_JSON)) {
        throw e;
      }
      readAgain(_localctx.from);
      draft.json = false;
      selectClause(draft);
    }

selectClause[SelectDraft draft]
    locals [int from]
    @init { $from = _input.index(); }
    : K_DISTINCT selectors { draft.distinct = true; draft.selectors = $selectors.value; }
    | selectors { draft.selectors = $selectors.value; }
    ;
    catch [RecognitionException e] {
      if (!startsWith(_localctx.from, K_DISTINCT)) {
        throw e;
      }
      readAgain(_localctx.from);
      draft.distinct = false;
      draft.selectors = selectors().value;
    }

selectors returns [List<Selector> value = new ArrayList<>()]
    : s=selector { $value.add($s.value); } ( ',' s=selector { $value.add($s.value); } )*
    | '*'
    ;

selector returns [Selector value]
    locals [String alias]
    : unaliasedSelector ( K_AS nonColumnName { $alias = $nonColumnName.value; } )?
      { $value = new Selector($unaliasedSelector.value, $alias); }
    ;

unaliasedSelector returns [Selectable value]
    : selectionAddition { $value = $selectionAddition.value; }
    ;

selectionAddition returns [Selectable value]
    locals [int level]
    @init { $level = nesting(); }
    : l=selectionMultiplication { $value = $l.value; }
      ( '+' r=selectionMultiplication { deepen(); $value = new Selectable.Operation(ArithmeticOperator.ADD, $value, $r.value); }
      | '-' r=selectionMultiplication { deepen(); $value = new Selectable.Operation(ArithmeticOperator.SUBTRACT, $value, $r.value); }
      )* { nesting($level); }
    ;

selectionMultiplication returns [Selectable value]
    locals [int level]
    @init { $level = nesting(); }
    : l=selectionGroup { $value = $l.value; }
      ( '*' r=selectionGroup { deepen(); $value = new Selectable.Operation(ArithmeticOperator.MULTIPLY, $value, $r.value); }
      | '/' r=selectionGroup { deepen(); $value = new Selectable.Operation(ArithmeticOperator.DIVIDE, $value, $r.value); }
      | '%' r=selectionGroup { deepen(); $value = new Selectable.Operation(ArithmeticOperator.REMAINDER, $value, $r.value); }
      )* { nesting($level); }
    ;

selectionGroup returns [Selectable value]
    : { looksAtSelection(1); } g=selectionBase m=tentativeModifiers[$g.value] { $value = $m.value; }
    | { looksAtSelection(0); } '-' n=selectionGroup { $value = new Selectable.Negation($n.value); }
    ;

// Fields and elements belong to the selection only if all of them parse and are followed by something that may follow a selection.
tentativeModifiers[Selectable receiver] returns [Selectable value]
    locals [int from]
    @init { $from = _input.index(); }
    : selectorModifier[receiver] { $value = $selectorModifier.value; }
    ;
    catch [RecognitionException e] {
      readAgain(_localctx.from);
      _localctx.value = receiver;
    }

selectorModifier[Selectable receiver] returns [Selectable value]
    : '.' fieldName m=selectorModifier[new Selectable.Field(receiver, $fieldName.value)] { $value = $m.value; }
    | '[' subSelection[receiver] ']' m=selectorModifier[$subSelection.value] { $value = $m.value; }
    | { $value = receiver; }
    ;

subSelection[Selectable receiver] returns [Selectable value]
    locals [boolean slice, Term to]
    : f=term ( RANGE { $slice = true; } ( t=term { $to = $t.value; } )? )?
      { $value = $slice ? new Selectable.Slice(receiver, $f.value, $to) : new Selectable.Element(receiver, $f.value); }
    | RANGE t=term { $value = new Selectable.Slice(receiver, null, $t.value); }
    ;

selectionBase returns [Selectable value]
    : simpleSelection { $value = $simpleSelection.value; }
    | parenthesisedSelection { $value = $parenthesisedSelection.value; }
    | selectionList { $value = $selectionList.value; }
    | selectionMapOrSet { $value = $selectionMapOrSet.value; }
    ;

parenthesisedSelection returns [Selectable value]
    locals [int from, boolean hinted]
    @init { $from = _input.index(); }
    : { $hinted = true; } selectionTypeHint { $value = $selectionTypeHint.value; }
    | { $hinted = false; } selectionTuple { $value = $selectionTuple.value; }
    ;
    catch [RecognitionException e] {
      if (!_localctx.hinted) {
        throw e;
      }
      readAgain(_localctx.from);
      _localctx.value = selectionTuple().value;
    }

selectionTypeHint returns [Selectable value]
    : '(' typeName ')' selectionBase { $value = new Selectable.TypeHint($typeName.value, $selectionBase.value); }
    ;

selectionTuple returns [Selectable value]
    locals [List<Selectable> elements = new ArrayList<>()]
    : '(' s=unaliasedSelector { $elements.add($s.value); } ( ',' s=unaliasedSelector { $elements.add($s.value); } )* ')'
      { $value = new Selectable.Parenthesised($elements); }
    ;

selectionList returns [Selectable value]
    locals [List<Selectable> elements = new ArrayList<>()]
    : '[' ( s=unaliasedSelector { $elements.add($s.value); } ( ',' s=unaliasedSelector { $elements.add($s.value); } )* )? ']'
      { $value = new Selectable.ListOf($elements); }
    ;

selectionMapOrSet returns [Selectable value]
    : '{' s=unaliasedSelector ( m=selectionMap[$s.value] { $value = $m.value; } | t=selectionSet[$s.value] { $value = $t.value; } ) '}'
    | '{' '}' { $value = new Selectable.SetOf(List.of()); }
    ;

selectionMap[Selectable first] returns [Selectable value]
    locals [List<Selectable.MapOrUserType.Entry> entries = new ArrayList<>()]
    : ':' v=unaliasedSelector { $entries.add(new Selectable.MapOrUserType.Entry(first, $v.value)); }
      ( ',' k=unaliasedSelector ':' v=unaliasedSelector { $entries.add(new Selectable.MapOrUserType.Entry($k.value, $v.value)); } )*
      { $value = new Selectable.MapOrUserType($entries); }
    ;

selectionSet[Selectable first] returns [Selectable value]
    locals [List<Selectable> elements]
    @init { $elements = listOf($first); }
    : ( ',' s=unaliasedSelector { $elements.add($s.value); } )* { $value = new Selectable.SetOf($elements); }
    ;

simpleSelection returns [Selectable value]
    : selectedColumn { $value = $selectedColumn.value; }
    | selectionLiteral { $value = new Selectable.Value($selectionLiteral.value); }
    | selectionFunction { $value = $selectionFunction.value; }
    ;

selectionFunction returns [Selectable value]
    : K_COUNT '(' '*' ')' { $value = new Selectable.CountRows(); }
    | K_MAXWRITETIME '(' c=selectedColumn m=selectorModifier[$c.value] ')'
      { $value = new Selectable.CellFactOf(Selectable.CellFact.MAX_WRITE_TIME, $c.value, $m.value); }
    | K_WRITETIME '(' c=selectedColumn m=selectorModifier[$c.value] ')'
      { $value = new Selectable.CellFactOf(Selectable.CellFact.WRITE_TIME, $c.value, $m.value); }
    | K_TTL '(' c=selectedColumn m=selectorModifier[$c.value] ')'
      { $value = new Selectable.CellFactOf(Selectable.CellFact.TIME_TO_LIVE, $c.value, $m.value); }
    | K_CAST '(' unaliasedSelector K_AS nativeType ')' { $value = new Selectable.Cast($unaliasedSelector.value, $nativeType.value); }
    | functionName selectionFunctionArguments
      { $value = new Selectable.Function($functionName.value, $selectionFunctionArguments.value); }
    ;

selectionFunctionArguments returns [List<Selectable> value = new ArrayList<>()]
    : '(' ( s=unaliasedSelector { $value.add($s.value); } ( ',' s=unaliasedSelector { $value.add($s.value); } )* )? ')'
    ;

selectionLiteral returns [Term value]
    : constant { $value = $constant.value; }
    | K_NULL { $value = new Term.Null(); }
    | ':' nonColumnName { $value = marker($nonColumnName.value); }
    | QMARK { $value = marker(null); }
    ;

selectedColumn returns [Selectable.Column value]
    : t=IDENT { $value = new Selectable.Column(folded($t), false); }
    | t=QUOTED_NAME { $value = new Selectable.Column(text($t), true); }
    | unreservedKeyword { $value = new Selectable.Column(folded($unreservedKeyword.value), false); }
    ;

ordering returns [SelectStatement.Ordering value]
    locals [Term near, boolean descending]
    : columnName ( K_ANN K_OF term { $near = $term.value; } )? ( K_ASC | K_DESC { $descending = true; } )?
      { $value = new SelectStatement.Ordering($columnName.value, $near, $descending); }
    ;

// ----------------------------------------------------------------------------------------------------------------------- WHERE

whereClause returns [List<Relation> value = new ArrayList<>()]
    : relationOrExpression[$value] ( K_AND relationOrExpression[$value] )*
    ;

relationOrExpression[List<Relation> where]
    : relation[where]
    | indexExpression[where]
    ;

indexExpression[List<Relation> where]
    : 'expr(' indexNamePart ',' term ')' { where.add(new Relation.IndexExpression($indexNamePart.value, $term.value)); }
    ;

relation[List<Relation> where]
    : c=columnName o=relationOperator t=term { where.add(new Relation.ColumnRelation($c.value, $o.value, $t.value)); }
    | c=columnName K_LIKE t=term { where.add(new Relation.ColumnRelation($c.value, Operator.LIKE, $t.value)); }
    | c=columnName K_IS K_NOT K_NULL { where.add(new Relation.IsNotNull($c.value)); }
    | K_TOKEN i=columnTuple o=relationOperator t=term { where.add(new Relation.TokenRelation($i.value, $o.value, $t.value)); }
    | c=columnName K_IN m=marker_ { where.add(new Relation.ColumnIn($c.value, $m.value)); }
    | c=columnName K_IN v=inValues { where.add(new Relation.ColumnIn($c.value, $v.value)); }
    | c=columnName n=containsOperator t=term { where.add(new Relation.ColumnRelation($c.value, $n.value, $t.value)); }
    | c=columnName '[' k=term ']' o=relationOperator t=term
      { where.add(new Relation.ElementRelation($c.value, $k.value, $o.value, $t.value)); }
    | i=columnTuple tupleComparison[$i.value] { where.add($tupleComparison.value); }
    | '(' relation[where] ')'
    ;

tupleComparison[List<String> columns] returns [Relation value]
    : K_IN tupleInValues { $value = new Relation.TupleIn(columns, $tupleInValues.value); }
    | o=relationOperator t=tupleLiteral { $value = new Relation.TupleRelation(columns, $o.value, $t.value); }
    | o=relationOperator m=marker_ { $value = new Relation.TupleRelation(columns, $o.value, $m.value); }
    ;

tupleInValues returns [InValues value]
    locals [List<Term> terms = new ArrayList<>()]
    : '(' ')' { $value = new InValues.Values(List.of()); }
    | marker_ { $value = $marker_.value; }
    | '(' t=tupleLiteral { $terms.add($t.value); } ( ',' t=tupleLiteral { $terms.add($t.value); } )* ')'
      { $value = new InValues.Values($terms); }
    | '(' m=marker_ { $terms.add($m.value); } ( ',' m=marker_ { $terms.add($m.value); } )* ')'
      { $value = new InValues.Values($terms); }
    ;

relationOperator returns [Operator value]
    : '=' { $value = Operator.EQ; }
    | '<' { $value = Operator.LT; }
    | '<=' { $value = Operator.LTE; }
    | '>' { $value = Operator.GT; }
    | '>=' { $value = Operator.GTE; }
    | '!=' { $value = Operator.NEQ; }
    ;

containsOperator returns [Operator value]
    : K_CONTAINS { $value = Operator.CONTAINS; } ( K_KEY { $value = Operator.CONTAINS_KEY; } )?
    ;

columnTuple returns [List<String> value = new ArrayList<>()]
    : '(' c=columnName { $value.add($c.value); } ( ',' c=columnName { $value.add($c.value); } )* ')'
    ;

inValues returns [InValues value]
    locals [List<Term> terms = new ArrayList<>()]
    : '(' ( t=term { $terms.add($t.value); } ( ',' t=term { $terms.add($t.value); } )* )? ')'
      { $value = new InValues.Values($terms); }
    ;

marker_ returns [BindMarker value]
    : QMARK { $value = marker(null); }
    | ':' nonColumnName { $value = marker($nonColumnName.value); }
    ;

// --------------------------------------------------------------------------------------------------------------- modifications

insertStatement returns [ModificationStatement value]
    : K_INSERT K_INTO tableName
      ( i=plainInsert[$tableName.value] { $value = $i.value; }
      | K_JSON j=jsonInsert[$tableName.value] { $value = $j.value; } )
    ;

plainInsert[QualifiedName table] returns [ModificationStatement value]
    locals [List<String> columns = new ArrayList<>(), List<Term> values = new ArrayList<>(),
            boolean ifNotExists, UsingDraft using = new UsingDraft()]
    : '(' c=columnName { $columns.add($c.value); } ( ',' c=columnName { $columns.add($c.value); } )* ')'
      K_VALUES
      '(' t=term { $values.add($t.value); } ( ',' t=term { $values.add($t.value); } )* ')'
      ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      usingClause[$using]?
      { $value = new ModificationStatement.Insert(
            table, $columns, $values, $using.build(), insertConditions($ifNotExists), ownMarkers()); }
    ;

jsonInsert[QualifiedName table] returns [ModificationStatement value]
    locals [boolean defaultUnset, boolean ifNotExists, UsingDraft using = new UsingDraft()]
    : jsonValue
      ( K_DEFAULT ( K_NULL | { $defaultUnset = true; } K_UNSET ) )?
      ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      usingClause[$using]?
      { $value = new ModificationStatement.InsertJson(
            table, $jsonValue.value, $defaultUnset, $using.build(), insertConditions($ifNotExists), ownMarkers()); }
    ;

jsonValue returns [JsonValue value]
    : s=STRING_LITERAL { $value = new JsonValue.Text(text($s)); }
    | ':' nonColumnName { $value = marker($nonColumnName.value); }
    | QMARK { $value = marker(null); }
    ;

usingClause[UsingDraft using]
    : K_USING usingObjective[using] ( K_AND usingObjective[using] )*
    ;

usingObjective[UsingDraft using]
    : K_TIMESTAMP intValue { using.timestamp = $intValue.value; }
    | K_TTL intValue { using.timeToLive = $intValue.value; }
    ;

updateStatement returns [ModificationStatement value]
    locals [UsingDraft using = new UsingDraft(), AssignmentsDraft assignments = new AssignmentsDraft()]
    : K_UPDATE tableName
      usingClause[$using]?
      K_SET assignment[$assignments] ( ',' assignment[$assignments] )*
      K_WHERE whereClause
      conditions
      { $value = new ModificationStatement.Update(
            $tableName.value, $using.build(), $assignments.build(), $whereClause.value, $conditions.value, ownMarkers()); }
    ;

conditions returns [Conditions value]
    locals [List<Conditions.Condition> list = new ArrayList<>()]
    : { $value = new Conditions.None(); }
      ( K_IF
        ( K_EXISTS { $value = new Conditions.Exists(); }
        | c=condition { $list.add($c.value); } ( K_AND c=condition { $list.add($c.value); } )*
          { $value = new Conditions.OnColumns($list); } ) )?
    ;

condition returns [Conditions.Condition value]
    locals [Conditions.Target target]
    : c=columnName { $target = new Conditions.Target.Column($c.value); }
      ( o=relationOperator t=term { $value = new Conditions.Condition.Comparison($target, $o.value, $t.value); }
      | n=containsOperator t=term { $value = new Conditions.Condition.Comparison($target, $n.value, $t.value); }
      | i=conditionIn[$target] { $value = $i.value; }
      | '[' k=term ']' { $target = new Conditions.Target.Element($c.value, $k.value); }
        ( o=relationOperator t=term { $value = new Conditions.Condition.Comparison($target, $o.value, $t.value); }
        | i=conditionIn[$target] { $value = $i.value; } )
      | '.' f=fieldName { $target = new Conditions.Target.Field($c.value, $f.value); }
        ( o=relationOperator t=term { $value = new Conditions.Condition.Comparison($target, $o.value, $t.value); }
        | i=conditionIn[$target] { $value = $i.value; } )
      )
    ;

conditionIn[Conditions.Target target] returns [Conditions.Condition value]
    : K_IN ( v=inValues { $value = new Conditions.Condition.In(target, $v.value); }
           | m=marker_ { $value = new Conditions.Condition.In(target, $m.value); } )
    ;

assignment[AssignmentsDraft draft]
    : columnName assignmentTail[draft, $columnName.value]
    ;

assignmentTail[AssignmentsDraft draft, String column]
    : '=' plainAssignment[draft, column]
    | shorthandAssignment[draft, column]
    | '[' k=term ']' '=' v=term { looksPastTerm(); draft.add(new Assignment.SetElement(column, $k.value, $v.value)); }
    | '.' f=fieldName '=' v=term { looksPastTerm(); draft.add(new Assignment.SetField(column, $f.value, $v.value)); }
    ;

plainAssignment[AssignmentsDraft draft, String column]
    locals [String other]
    : t=term ( '+' c=columnName { $other = $c.value; } )? { looksPastTerm(); draft.setOrPrepend(column, $t.value, $other); }
    | c=columnName s=( '+' | '-' ) t=term { looksPastTerm(); draft.addOrSubtract(column, $c.value, text($s), $t.value); }
    | c=columnName i=INTEGER { draft.addInteger(column, $c.value, text($i)); }
    ;

shorthandAssignment[AssignmentsDraft draft, String column]
    : s=( '+=' | '-=' ) t=term { looksPastTerm(); draft.shorthand(column, text($s), $t.value); }
    ;

deleteStatement returns [ModificationStatement value]
    locals [List<Deletion> deletions = new ArrayList<>(), UsingDraft using = new UsingDraft()]
    : K_DELETE ( d=deletion { $deletions.add($d.value); } ( ',' d=deletion { $deletions.add($d.value); } )* )?
      K_FROM tableName
      ( K_USING K_TIMESTAMP i=intValue { $using.timestamp = $i.value; } )?
      K_WHERE whereClause
      conditions
      { $value = new ModificationStatement.Delete(
            $tableName.value, $deletions, $using.build(), $whereClause.value, $conditions.value, ownMarkers()); }
    ;

deletion returns [Deletion value]
    : c=columnName { $value = new Deletion.Column($c.value); }
    | c=columnName '[' term ']' { $value = new Deletion.Element($c.value, $term.value); }
    | c=columnName '.' fieldName { $value = new Deletion.Field($c.value, $fieldName.value); }
    ;

batchStatement returns [Statement value]
    locals [BatchStatement.Kind kind = BatchStatement.Kind.LOGGED, UsingDraft using = new UsingDraft(),
            List<ModificationStatement> statements = new ArrayList<>()]
    : { beginBatch(); } K_BEGIN
      ( K_UNLOGGED { $kind = BatchStatement.Kind.UNLOGGED; } | K_COUNTER { $kind = BatchStatement.Kind.COUNTER; } )?
      K_BATCH usingClause[$using]?
      ( s=batchedStatement ';'? { $statements.add($s.value); } )*
      K_APPLY K_BATCH
      { $value = new BatchStatement($kind, $using.build(), $statements, bindMarkers()); }
    ;

batchedStatement returns [ModificationStatement value]
    : insertStatement { $value = $insertStatement.value; }
    | updateStatement { $value = $updateStatement.value; }
    | deleteStatement { $value = $deleteStatement.value; }
    ;

// ------------------------------------------------------------------------------------------------------- functions, aggregates

createAggregateStatement returns [Statement value]
    locals [boolean orReplace, boolean ifNotExists, String finalFunction, Term initial]
    : K_CREATE ( K_OR K_REPLACE { $orReplace = true; } )?
      K_AGGREGATE
      ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      functionName typeList
      K_SFUNC s=plainFunctionName
      K_STYPE typeName
      ( K_FINALFUNC f=plainFunctionName { $finalFunction = $f.value; } )?
      ( K_INITCOND term { $initial = $term.value; } )?
      { $value = new FunctionStatement.CreateAggregate($functionName.value, $orReplace, $ifNotExists, $typeList.value,
            $s.value, $typeName.value, $finalFunction, $initial); }
    ;

dropAggregateStatement returns [Statement value]
    locals [boolean ifExists, List<TypeName> types]
    : K_DROP K_AGGREGATE ( K_IF K_EXISTS { $ifExists = true; } )? functionName ( typeList { $types = $typeList.value; } )?
      { $value = new FunctionStatement.DropAggregate($functionName.value, $ifExists, $types); }
    ;

createFunctionStatement returns [Statement value]
    locals [boolean orReplace, boolean ifNotExists, boolean called,
            List<FunctionStatement.Argument> arguments = new ArrayList<>()]
    : K_CREATE ( K_OR K_REPLACE { $orReplace = true; } )?
      K_FUNCTION
      ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      functionName
      '(' ( functionArgument[$arguments] ( ',' functionArgument[$arguments] )* )? ')'
      ( K_RETURNS K_NULL | K_CALLED { $called = true; } ) K_ON K_NULL K_INPUT
      K_RETURNS typeName
      K_LANGUAGE l=IDENT
      K_AS b=STRING_LITERAL
      { $value = new FunctionStatement.CreateFunction($functionName.value, $orReplace, $ifNotExists, $arguments, $called,
            $typeName.value, folded($l), text($b)); }
    ;

functionArgument[List<FunctionStatement.Argument> arguments]
    : nonColumnName typeName { arguments.add(new FunctionStatement.Argument($nonColumnName.value, $typeName.value)); }
    ;

dropFunctionStatement returns [Statement value]
    locals [boolean ifExists, List<TypeName> types]
    : K_DROP K_FUNCTION ( K_IF K_EXISTS { $ifExists = true; } )? functionName ( typeList { $types = $typeList.value; } )?
      { $value = new FunctionStatement.DropFunction($functionName.value, $ifExists, $types); }
    ;

typeList returns [List<TypeName> value = new ArrayList<>()]
    : '(' ( t=typeName { $value.add($t.value); } ( ',' t=typeName { $value.add($t.value); } )* )? ')'
    ;

// ------------------------------------------------------------------------------------------------------------ keyspaces, tables

createKeyspaceStatement returns [Statement value]
    locals [boolean ifNotExists]
    : K_CREATE K_KEYSPACE ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? keyspaceName K_WITH properties
      { $value = new KeyspaceStatement.CreateKeyspace($keyspaceName.value, $ifNotExists, $properties.value); }
    ;

alterKeyspaceStatement returns [Statement value]
    locals [boolean ifExists]
    : K_ALTER K_KEYSPACE ( K_IF K_EXISTS { $ifExists = true; } )? keyspaceName K_WITH properties
      { $value = new KeyspaceStatement.AlterKeyspace($keyspaceName.value, $ifExists, $properties.value); }
    ;

dropKeyspaceStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_KEYSPACE ( K_IF K_EXISTS { $ifExists = true; } )? keyspaceName
      { $value = new KeyspaceStatement.DropKeyspace($keyspaceName.value, $ifExists); }
    ;

createTableStatement returns [Statement value]
    locals [boolean ifNotExists, TableDraft draft]
    : K_CREATE K_COLUMNFAMILY ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      tableName { $draft = new TableDraft("table", $tableName.value); }
      '(' tableColumns[$draft] ( ',' tableColumns[$draft]? )* ')'
      ( K_WITH tableProperty[$draft] ( K_AND tableProperty[$draft] )* )?
      { $value = $draft.buildTable($ifNotExists); }
    ;

// CREATE TABLE LIKE of Cassandra 6. Not an alternative of cqlStatement, whose error messages are those of Cassandra 5.0.
tableCopyQuery returns [Statement value]
    locals [boolean ifNotExists, boolean indexes, PropertiesDraft with = new PropertiesDraft()]
    : K_CREATE K_COLUMNFAMILY ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? t=copiedTableName K_LIKE s=copiedTableName
      ( K_WITH o=copyOption[$with] { $indexes |= $o.indexes; } ( K_AND p=copyOption[$with] { $indexes |= $p.indexes; } )* )? ';'* EOF
      { $value = new TableStatement.CopyTable($t.value, $ifNotExists, $s.value, $indexes, $with.build()); }
    ;

// INDEXES is not a keyword of Cassandra 5.0.
copyOption[PropertiesDraft with] returns [boolean indexes]
    : {isIndexes()}? IDENT { $indexes = true; }
    | property[$with]
    ;

// As tableName, which must not be followed by LIKE: what may follow a rule decides how errors in it are worded.
copiedTableName returns [QualifiedName value]
    locals [String keyspace]
    : ( k=keyspaceNamePart '.' { $keyspace = $k.value; } )? n=tableNamePart { $value = new QualifiedName($keyspace, $n.value); }
    ;

// EXPLAIN of Helenus. Not an alternative of cqlStatement either; its words are not keywords of Cassandra.
explainQuery returns [Statement value]
    locals [boolean analyze, boolean json]
    : IDENT ( {isAnalyze()}? IDENT { $analyze = true; } | K_JSON { $json = true; } )* s=explainedStatement ';'* EOF
      { $value = new ExplainStatement($s.value, $analyze, $json); }
    ;

explainedStatement returns [Statement value]
    : selectStatement { $value = $selectStatement.value; }
    | insertStatement { $value = $insertStatement.value; }
    | updateStatement { $value = $updateStatement.value; }
    | batchStatement { $value = $batchStatement.value; }
    | deleteStatement { $value = $deleteStatement.value; }
    ;

tableColumns[TableDraft draft]
    locals [boolean isStatic, ColumnMask mask]
    : name typeName ( K_STATIC { $isStatic = true; } )? ( columnMask { $mask = $columnMask.value; } )?
      { draft.addColumn(new ColumnDefinition($name.value, $typeName.value, $isStatic, $mask)); }
      ( K_PRIMARY K_KEY { draft.partitionKey(List.of($name.value)); } )?
    | K_PRIMARY K_KEY '(' partitionKey { draft.partitionKey($partitionKey.value); }
      ( ',' c=name { draft.clusteringColumn($c.value); } )* ')'
    ;

columnMask returns [ColumnMask value]
    locals [List<Term> arguments = new ArrayList<>()]
    : K_MASKED K_WITH functionName maskArguments[$arguments] { $value = new ColumnMask($functionName.value, $arguments); }
    | K_MASKED K_WITH K_DEFAULT { $value = new ColumnMask(new QualifiedName("system", "mask_default"), List.of()); }
    ;

maskArguments[List<Term> arguments]
    : '(' ')'
    | '(' t=term { arguments.add($t.value); } ( ',' t=term { arguments.add($t.value); } )* ')'
    ;

partitionKey returns [List<String> value = new ArrayList<>()]
    : k=name { $value.add($k.value); }
    | '(' k=name { $value.add($k.value); } ( ',' k=name { $value.add($k.value); } )* ')'
    ;

tableProperty[TableDraft draft]
    : property[draft.properties]
    | K_COMPACT K_STORAGE { draft.compactStorage = true; }
    | K_CLUSTERING K_ORDER K_BY '(' clusteringOrder[draft] ( ',' clusteringOrder[draft] )* ')'
    ;

clusteringOrder[TableDraft draft]
    locals [boolean descending]
    : name ( K_ASC | K_DESC { $descending = true; } ) { draft.clusteringOrder($name.value, $descending); }
    ;

alterTableStatement returns [Statement value]
    locals [boolean ifExists, boolean ifColumn, Long timestamp, TableStatement.Alteration change,
            List<ColumnDefinition> added = new ArrayList<>(), List<String> dropped = new ArrayList<>(),
            List<Renaming> renamed = new ArrayList<>()]
    : K_ALTER K_COLUMNFAMILY ( K_IF K_EXISTS { $ifExists = true; } )? tableName
      ( K_ALTER c=columnName K_TYPE t=typeName { $change = new TableStatement.Alteration.ChangeType($c.value, $t.value); }
      | K_ALTER ( K_IF K_EXISTS { $ifColumn = true; } )? c=columnName
        ( m=columnMask { $change = new TableStatement.Alteration.Mask($c.value, $ifColumn, $m.value); }
        | K_DROP K_MASKED { $change = new TableStatement.Alteration.Mask($c.value, $ifColumn, null); } )
      | K_ADD ( K_IF K_NOT K_EXISTS { $ifColumn = true; } )?
        ( addedColumn[$added] | '(' addedColumn[$added] ( ',' addedColumn[$added] )* ')' )
        { $change = new TableStatement.Alteration.Add($ifColumn, $added); }
      | K_DROP ( K_IF K_EXISTS { $ifColumn = true; } )?
        ( n=name { $dropped.add($n.value); }
        | '(' n=name { $dropped.add($n.value); } ( ',' n=name { $dropped.add($n.value); } )* ')' )
        ( K_USING K_TIMESTAMP i=INTEGER { $timestamp = longValue($i); } )?
        { $change = new TableStatement.Alteration.Drop($ifColumn, $dropped, $timestamp); }
      | K_RENAME ( K_IF K_EXISTS { $ifColumn = true; } )? renaming[$renamed] ( K_AND renaming[$renamed] )*
        { $change = new TableStatement.Alteration.Rename($ifColumn, $renamed); }
      | K_DROP K_COMPACT K_STORAGE { $change = new TableStatement.Alteration.DropCompactStorage(); }
      | K_WITH p=properties { $change = new TableStatement.Alteration.SetProperties($p.value); }
      )
      { $value = new TableStatement.AlterTable($tableName.value, $ifExists, $change); }
    ;

addedColumn[List<ColumnDefinition> columns]
    locals [boolean isStatic, ColumnMask mask]
    : name typeName ( K_STATIC { $isStatic = true; } )? ( columnMask { $mask = $columnMask.value; } )?
      { columns.add(new ColumnDefinition($name.value, $typeName.value, $isStatic, $mask)); }
    ;

renaming[List<Renaming> renamings]
    : f=name K_TO t=name { renamings.add(new Renaming($f.value, $t.value)); }
    ;

dropTableStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_COLUMNFAMILY ( K_IF K_EXISTS { $ifExists = true; } )? tableName
      { $value = new TableStatement.DropTable($tableName.value, $ifExists); }
    ;

// ------------------------------------------------------------------------------------------------- types, indexes, views, triggers

createTypeStatement returns [Statement value]
    locals [boolean ifNotExists, List<TypeStatement.FieldDefinition> fields = new ArrayList<>()]
    : K_CREATE K_TYPE ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? userTypeName
      '(' typeField[$fields] ( ',' typeField[$fields]? )* ')'
      { $value = new TypeStatement.CreateType($userTypeName.value, $ifNotExists, $fields); }
    ;

typeField[List<TypeStatement.FieldDefinition> fields]
    : fieldName typeName { fields.add(new TypeStatement.FieldDefinition($fieldName.value, $typeName.value)); }
    ;

alterTypeStatement returns [Statement value]
    locals [boolean ifExists, boolean ifField, TypeStatement.Alteration change, List<Renaming> renamed = new ArrayList<>()]
    : K_ALTER K_TYPE ( K_IF K_EXISTS { $ifExists = true; } )? userTypeName
      ( K_ALTER f=fieldName K_TYPE t=typeName { $change = new TypeStatement.Alteration.ChangeType($f.value, $t.value); }
      | K_ADD ( K_IF K_NOT K_EXISTS { $ifField = true; } )? f=fieldName t=typeName
        { $change = new TypeStatement.Alteration.Add($ifField, new TypeStatement.FieldDefinition($f.value, $t.value)); }
      | K_RENAME ( K_IF K_EXISTS { $ifField = true; } )? fieldRenaming[$renamed] ( K_AND fieldRenaming[$renamed] )*
        { $change = new TypeStatement.Alteration.Rename($ifField, $renamed); }
      )
      { $value = new TypeStatement.AlterType($userTypeName.value, $ifExists, $change); }
    ;

fieldRenaming[List<Renaming> renamings]
    : f=fieldName K_TO t=fieldName { renamings.add(new Renaming($f.value, $t.value)); }
    ;

dropTypeStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_TYPE ( K_IF K_EXISTS { $ifExists = true; } )? userTypeName
      { $value = new TypeStatement.DropType($userTypeName.value, $ifExists); }
    ;

createIndexStatement returns [Statement value]
    locals [boolean custom, boolean ifNotExists, String index, String using, Properties with = Properties.NONE,
            List<IndexStatement.Target> targets = new ArrayList<>()]
    : K_CREATE ( K_CUSTOM { $custom = true; } )? K_INDEX ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      ( indexNamePart { $index = $indexNamePart.value; } )? K_ON tableName
      '(' ( t=indexTarget { $targets.add($t.value); } ( ',' t=indexTarget { $targets.add($t.value); } )* )? ')'
      ( K_USING c=STRING_LITERAL { $using = text($c); } )?
      ( K_WITH p=properties { $with = $p.value; } )?
      { $value = new IndexStatement.CreateIndex($index, $tableName.value, $custom, $ifNotExists, $targets, $using, $with); }
    ;

indexTarget returns [IndexStatement.Target value]
    : c=columnName { $value = new IndexStatement.Target(IndexStatement.TargetKind.SIMPLE, $c.value); }
    | K_VALUES '(' c=columnName ')' { $value = new IndexStatement.Target(IndexStatement.TargetKind.VALUES, $c.value); }
    | K_KEYS '(' c=columnName ')' { $value = new IndexStatement.Target(IndexStatement.TargetKind.KEYS, $c.value); }
    | K_ENTRIES '(' c=columnName ')' { $value = new IndexStatement.Target(IndexStatement.TargetKind.ENTRIES, $c.value); }
    | K_FULL '(' c=columnName ')' { $value = new IndexStatement.Target(IndexStatement.TargetKind.FULL, $c.value); }
    ;

dropIndexStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_INDEX ( K_IF K_EXISTS { $ifExists = true; } )? indexName
      { $value = new IndexStatement.DropIndex($indexName.value, $ifExists); }
    ;

createViewStatement returns [Statement value]
    locals [boolean ifNotExists, List<Relation> where = List.of(), TableDraft draft]
    : K_CREATE K_MATERIALIZED K_VIEW ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )?
      v=tableName { $draft = new TableDraft("view", $v.value); } K_AS
      K_SELECT selectors K_FROM b=tableName
      ( K_WHERE w=whereClause { $where = $w.value; } )?
      K_PRIMARY K_KEY '(' partitionKey { $draft.partitionKey($partitionKey.value); }
      ( ',' c=name { $draft.clusteringColumn($c.value); } )* ')'
      ( K_WITH viewProperty[$draft] ( K_AND viewProperty[$draft] )* )?
      { $value = $draft.buildView($ifNotExists, $selectors.value, $b.value, $where, bindMarkers()); }
    ;

viewProperty[TableDraft draft]
    : property[draft.properties]
    | K_COMPACT K_STORAGE { refuse("COMPACT STORAGE tables are not allowed starting with version 4.0"); }
    | K_CLUSTERING K_ORDER K_BY '(' clusteringOrder[draft] ( ',' clusteringOrder[draft] )* ')'
    ;

alterViewStatement returns [Statement value]
    locals [boolean ifExists]
    : K_ALTER K_MATERIALIZED K_VIEW ( K_IF K_EXISTS { $ifExists = true; } )? tableName K_WITH properties
      { $value = new ViewStatement.AlterView($tableName.value, $ifExists, $properties.value); }
    ;

dropViewStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_MATERIALIZED K_VIEW ( K_IF K_EXISTS { $ifExists = true; } )? tableName
      { $value = new ViewStatement.DropView($tableName.value, $ifExists); }
    ;

createTriggerStatement returns [Statement value]
    locals [boolean ifNotExists]
    : K_CREATE K_TRIGGER ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? name
      K_ON tableName K_USING c=STRING_LITERAL
      { $value = new TriggerStatement.CreateTrigger($name.value, $tableName.value, text($c), $ifNotExists); }
    ;

dropTriggerStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_TRIGGER ( K_IF K_EXISTS { $ifExists = true; } )? name K_ON tableName
      { $value = new TriggerStatement.DropTrigger($name.value, $tableName.value, $ifExists); }
    ;

// ------------------------------------------------------------------------------------------------------------ roles, permissions

grantPermissionsStatement returns [Statement value]
    : K_GRANT permissions K_ON resource K_TO roleName
      { $value = new RoleStatement.GrantPermissions(applicable($permissions.value, $resource.value), $resource.value, $roleName.value); }
    ;

revokePermissionsStatement returns [Statement value]
    : K_REVOKE permissions K_ON resource K_FROM roleName
      { $value = new RoleStatement.RevokePermissions(applicable($permissions.value, $resource.value), $resource.value, $roleName.value); }
    ;

grantRoleStatement returns [Statement value]
    : K_GRANT r=roleName K_TO g=roleName { $value = new RoleStatement.GrantRole($r.value, $g.value); }
    ;

revokeRoleStatement returns [Statement value]
    : K_REVOKE r=roleName K_FROM g=roleName { $value = new RoleStatement.RevokeRole($r.value, $g.value); }
    ;

listPermissionsStatement returns [Statement value]
    locals [RoleStatement.Resource on, String of, boolean recursive = true]
    : K_LIST permissions
      ( K_ON resource { $on = $resource.value; } )?
      ( K_OF roleName { $of = $roleName.value; } )?
      ( K_NORECURSIVE { $recursive = false; } )?
      { $value = new RoleStatement.ListPermissions($permissions.value, $on, $of, $recursive); }
    ;

permission returns [RoleStatement.Permission value]
    : p=( K_CREATE | K_ALTER | K_DROP | K_SELECT | K_MODIFY | K_AUTHORIZE | K_DESCRIBE | K_EXECUTE | K_UNMASK | K_SELECT_MASKED )
      { $value = permissionOf($p); }
    ;

permissions returns [java.util.Set<RoleStatement.Permission> value = noPermissions()]
    : K_ALL K_PERMISSIONS? { $value = allPermissions(); }
    | p=permission K_PERMISSION? { $value.add($p.value); } ( ',' p=permission K_PERMISSION? { $value.add($p.value); } )*
    ;

resource returns [RoleStatement.Resource value]
    : dataResource { $value = $dataResource.value; }
    | roleResource { $value = $roleResource.value; }
    | functionResource { $value = $functionResource.value; }
    | beanResource { $value = $beanResource.value; }
    ;

dataResource returns [RoleStatement.Resource value]
    : K_ALL K_KEYSPACES { $value = new RoleStatement.Resource.AllKeyspaces(); }
    | K_KEYSPACE k=keyspaceName { $value = new RoleStatement.Resource.Keyspace($k.value); }
    | K_COLUMNFAMILY? t=tableName { $value = new RoleStatement.Resource.Table($t.value); }
    | K_ALL K_TABLES K_IN K_KEYSPACE k=keyspaceName { $value = new RoleStatement.Resource.AllTables($k.value); }
    ;

beanResource returns [RoleStatement.Resource value]
    : K_ALL K_MBEANS { $value = new RoleStatement.Resource.AllMbeans(); }
    | K_MBEAN b=STRING_LITERAL { $value = bean(text($b), false); }
    | K_MBEANS b=STRING_LITERAL { $value = bean(text($b), true); }
    ;

roleResource returns [RoleStatement.Resource value]
    : K_ALL K_ROLES { $value = new RoleStatement.Resource.AllRoles(); }
    | K_ROLE roleName { $value = new RoleStatement.Resource.Role($roleName.value); }
    ;

functionResource returns [RoleStatement.Resource value]
    : K_ALL K_FUNCTIONS { $value = new RoleStatement.Resource.AllFunctions(); }
    | K_ALL K_FUNCTIONS K_IN K_KEYSPACE keyspaceName { $value = new RoleStatement.Resource.KeyspaceFunctions($keyspaceName.value); }
    | K_FUNCTION functionName typeList { $value = new RoleStatement.Resource.Function($functionName.value, $typeList.value); }
    ;

createUserStatement returns [Statement value]
    locals [RoleDraft draft = new RoleDraft(), boolean ifNotExists]
    : K_CREATE K_USER ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? userName
      ( K_WITH userPassword[$draft] )?
      { $draft.superuser = false; } ( K_SUPERUSER { $draft.superuser = true; } | K_NOSUPERUSER )?
      { $value = $draft.createUser($userName.value, $ifNotExists); }
    ;

alterUserStatement returns [Statement value]
    locals [RoleDraft draft = new RoleDraft(), boolean ifExists]
    : K_ALTER K_USER ( K_IF K_EXISTS { $ifExists = true; } )? userName
      ( K_WITH userPassword[$draft] )?
      ( K_SUPERUSER { $draft.superuser = true; } | K_NOSUPERUSER { $draft.superuser = false; } )?
      { $value = $draft.alter($userName.value, true, $ifExists); }
    ;

dropUserStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_USER ( K_IF K_EXISTS { $ifExists = true; } )? userName
      { $value = new RoleStatement.DropRole($userName.value, true, $ifExists); }
    ;

listUsersStatement returns [Statement value]
    : K_LIST K_USERS { $value = new RoleStatement.ListUsers(); }
    ;

userPassword[RoleDraft draft]
    : K_PASSWORD s=STRING_LITERAL { draft.password(text($s)); }
    | K_HASHED K_PASSWORD s=STRING_LITERAL { draft.hashedPassword(text($s)); }
    ;

createRoleStatement returns [Statement value]
    locals [RoleDraft draft = new RoleDraft(), boolean ifNotExists]
    : K_CREATE K_ROLE ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? roleName
      ( K_WITH roleOption[$draft] ( K_AND roleOption[$draft] )* )?
      { $value = $draft.createRole($roleName.value, $ifNotExists); }
    ;

alterRoleStatement returns [Statement value]
    locals [RoleDraft draft = new RoleDraft(), boolean ifExists]
    : K_ALTER K_ROLE ( K_IF K_EXISTS { $ifExists = true; } )? roleName
      ( K_WITH roleOption[$draft] ( K_AND roleOption[$draft] )* )?
      { $value = $draft.alter($roleName.value, false, $ifExists); }
    ;

dropRoleStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_ROLE ( K_IF K_EXISTS { $ifExists = true; } )? roleName
      { $value = new RoleStatement.DropRole($roleName.value, false, $ifExists); }
    ;

listRolesStatement returns [Statement value]
    locals [String of, boolean recursive = true]
    : K_LIST K_ROLES ( K_OF roleName { $of = $roleName.value; } )? ( K_NORECURSIVE { $recursive = false; } )?
      { $value = new RoleStatement.ListRoles($of, $recursive); }
    ;

roleOption[RoleDraft draft]
    : K_PASSWORD '=' s=STRING_LITERAL { draft.password(text($s)); }
    | K_HASHED K_PASSWORD '=' s=STRING_LITERAL { draft.hashedPassword(text($s)); }
    | K_OPTIONS '=' mapLiteral { draft.options(propertyMap($mapLiteral.value)); }
    | K_SUPERUSER '=' b=BOOLEAN { draft.superuser(text($b)); }
    | K_LOGIN '=' b=BOOLEAN { draft.login(text($b)); }
    | K_ACCESS K_TO K_ALL K_DATACENTERS { fail(draft.allDatacenters()); }
    | K_ACCESS K_TO K_DATACENTERS '{' s=STRING_LITERAL { fail(draft.datacenter(text($s))); }
      ( ',' s=STRING_LITERAL { fail(draft.datacenter(text($s))); } )* '}'
    | K_ACCESS K_FROM K_ALL K_CIDRS { fail(draft.allCidrs()); }
    | K_ACCESS K_FROM K_CIDRS '{' s=STRING_LITERAL { fail(draft.cidr(text($s))); } ( ',' s=STRING_LITERAL { fail(draft.cidr(text($s))); } )* '}'
    ;

addIdentityStatement returns [Statement value]
    locals [boolean ifNotExists]
    : K_ADD K_IDENTITY ( K_IF K_NOT K_EXISTS { $ifNotExists = true; } )? i=identity K_TO K_ROLE r=identity
      { $value = new RoleStatement.AddIdentity($i.value, $r.value, $ifNotExists); }
    ;

dropIdentityStatement returns [Statement value]
    locals [boolean ifExists]
    : K_DROP K_IDENTITY ( K_IF K_EXISTS { $ifExists = true; } )? identity
      { $value = new RoleStatement.DropIdentity($identity.value, $ifExists); }
    ;

userName returns [String value]
    : t=IDENT { $value = text($t); }
    | t=STRING_LITERAL { $value = text($t); }
    | QUOTED_NAME
      { refuse("Quoted strings are are not supported for user names and USER is deprecated, please use ROLE"); }
    ;

identity returns [String value]
    : t=IDENT { $value = text($t); }
    | t=STRING_LITERAL { $value = text($t); }
    | QUOTED_NAME { refuse("Quoted strings are are not supported for identity"); }
    ;

// -------------------------------------------------------------------------------------------------------------------- DESCRIBE

describeStatement returns [Statement value]
    locals [boolean flag, String keyspace, Subject subject]
    : ( K_DESCRIBE | K_DESC )
      ( K_CLUSTER { $subject = new Subject.Cluster(); }
      | ( K_FULL { $flag = true; } )? K_SCHEMA { $subject = new Subject.Schema($flag); }
      | K_KEYSPACES { $subject = new Subject.Listing(ElementKind.KEYSPACE); }
      | ( K_ONLY { $flag = true; } )? K_KEYSPACE ( k=keyspaceName { $keyspace = $k.value; } )?
        { $subject = new Subject.Keyspace($keyspace, $flag); }
      | K_TABLES { $subject = new Subject.Listing(ElementKind.TABLE); }
      | K_COLUMNFAMILY t=tableName { $subject = new Subject.Element(ElementKind.TABLE, $t.value); }
      | K_INDEX t=tableName { $subject = new Subject.Element(ElementKind.INDEX, $t.value); }
      | K_MATERIALIZED K_VIEW t=tableName { $subject = new Subject.Element(ElementKind.VIEW, $t.value); }
      | K_TYPES { $subject = new Subject.Listing(ElementKind.TYPE); }
      | K_TYPE u=userTypeName { $subject = new Subject.Element(ElementKind.TYPE, $u.value); }
      | K_FUNCTIONS { $subject = new Subject.Listing(ElementKind.FUNCTION); }
      | K_FUNCTION f=functionName { $subject = new Subject.Element(ElementKind.FUNCTION, $f.value); }
      | K_AGGREGATES { $subject = new Subject.Listing(ElementKind.AGGREGATE); }
      | K_AGGREGATE f=functionName { $subject = new Subject.Element(ElementKind.AGGREGATE, $f.value); }
      | ( q=name '.' { $keyspace = $q.value; } )? n=name { $subject = new Subject.Anything(new QualifiedName($keyspace, $n.value)); }
      )
      ( K_WITH K_INTERNALS { $flag = true; $value = new DescribeStatement($subject, true); } )?
      { if ($value == null) { $value = new DescribeStatement($subject, false); } }
    ;

// ----------------------------------------------------------------------------------------------------------------------- names

// References to columns allow the empty name of old tables; definitions do not.
columnName returns [String value]
    : EMPTY_QUOTED_NAME { $value = ""; }
    | name { $value = $name.value; }
    ;

name returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    ;

fieldName returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    ;

nonColumnName returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    ;

keyspaceName returns [String value]
    : keyspaceNamePart { $value = $keyspaceNamePart.value; }
    ;

indexName returns [QualifiedName value]
    locals [String keyspace]
    : ( k=keyspaceNamePart '.' { $keyspace = $k.value; } )? n=indexNamePart { $value = new QualifiedName($keyspace, $n.value); }
    ;

tableName returns [QualifiedName value]
    locals [String keyspace]
    : ( k=keyspaceNamePart '.' { $keyspace = $k.value; } )? n=tableNamePart { $value = new QualifiedName($keyspace, $n.value); }
    ;

userTypeName returns [QualifiedName value]
    locals [String keyspace]
    : ( k=nonColumnName '.' { $keyspace = $k.value; } )? n=nonTypeName { $value = new QualifiedName($keyspace, $n.value); }
    ;

keyspaceNamePart returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    | QMARK { refuse("Bind variables cannot be used for keyspace names"); }
    ;

tableNamePart returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    | QMARK { refuse("Bind variables cannot be used for table names"); }
    ;

indexNamePart returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    | QMARK { refuse("Bind variables cannot be used for index names"); }
    ;

roleName returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=STRING_LITERAL { $value = text($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedKeyword { $value = folded($unreservedKeyword.value); }
    | QMARK { refuse("Bind variables cannot be used for role names"); }
    ;

functionName returns [QualifiedName value]
    locals [String keyspace]
    : ( k=keyspaceName '.' { $keyspace = $k.value; } )? f=plainFunctionName { $value = new QualifiedName($keyspace, $f.value); }
    ;

plainFunctionName returns [String value]
    : t=IDENT { $value = folded($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | unreservedFunctionKeyword { $value = $unreservedFunctionKeyword.value; }
    | K_TOKEN { $value = "token"; }
    | K_COUNT { $value = "count"; }
    ;

// ----------------------------------------------------------------------------------------------------------------------- terms

constant returns [Term.Literal value]
    : t=STRING_LITERAL { $value = new Term.Literal(Term.LiteralKind.STRING, text($t)); }
    | t=INTEGER { $value = new Term.Literal(Term.LiteralKind.INTEGER, text($t)); }
    | t=FLOAT { $value = floatLiteral($t); }
    | t=BOOLEAN { $value = new Term.Literal(Term.LiteralKind.BOOLEAN, text($t)); }
    | t=DURATION { $value = new Term.Literal(Term.LiteralKind.DURATION, text($t)); }
    | t=UUID { $value = new Term.Literal(Term.LiteralKind.UUID, text($t)); }
    | t=HEXNUMBER { $value = new Term.Literal(Term.LiteralKind.HEX, text($t)); }
    | ( K_POSITIVE_NAN | K_NEGATIVE_NAN ) { $value = new Term.Literal(Term.LiteralKind.FLOAT, "NaN"); }
    | K_POSITIVE_INFINITY { $value = new Term.Literal(Term.LiteralKind.FLOAT, "Infinity"); }
    | K_NEGATIVE_INFINITY { $value = new Term.Literal(Term.LiteralKind.FLOAT, "-Infinity"); }
    ;

mapLiteral returns [List<Term.MapLiteral.Entry> value = new ArrayList<>()]
    : '{' ( k=term ':' v=term { $value.add(new Term.MapLiteral.Entry($k.value, $v.value)); }
            ( ',' k=term ':' v=term { $value.add(new Term.MapLiteral.Entry($k.value, $v.value)); } )* )? '}'
    ;

setOrMapTail[Term first] returns [Term value]
    : mapTail[first] { $value = $mapTail.value; }
    | setTail[first] { $value = $setTail.value; }
    ;

setTail[Term first] returns [Term value]
    locals [List<Term> elements]
    @init { $elements = listOf($first); }
    : ( ',' t=term { $elements.add($t.value); } )* { $value = new Term.SetLiteral($elements); }
    ;

mapTail[Term first] returns [Term value]
    locals [List<Term.MapLiteral.Entry> entries = new ArrayList<>()]
    : ':' v=term { $entries.add(new Term.MapLiteral.Entry(first, $v.value)); }
      ( ',' k=term ':' v=term { $entries.add(new Term.MapLiteral.Entry($k.value, $v.value)); } )*
      { $value = new Term.MapLiteral($entries); }
    ;

collectionLiteral returns [Term value]
    : listLiteral { $value = $listLiteral.value; }
    | '{' t=term s=setOrMapTail[$t.value] { $value = $s.value; } '}'
    | '{' '}' { $value = new Term.SetLiteral(List.of()); }
    ;

listLiteral returns [Term value]
    locals [List<Term> elements = new ArrayList<>()]
    : '[' ( t=term { $elements.add($t.value); } ( ',' t=term { $elements.add($t.value); } )* )? ']'
      { $value = new Term.ListLiteral($elements); }
    ;

userTypeLiteral returns [Term value]
    locals [List<Term.UserTypeLiteral.Field> fields = new ArrayList<>()]
    : '{' f=fieldName ':' v=term { $fields.add(new Term.UserTypeLiteral.Field($f.value, $v.value)); }
      ( ',' f=fieldName ':' v=term { $fields.add(new Term.UserTypeLiteral.Field($f.value, $v.value)); } )* '}'
      { $value = new Term.UserTypeLiteral($fields); }
    ;

tupleLiteral returns [Term value]
    locals [List<Term> elements = new ArrayList<>()]
    : '(' t=term { $elements.add($t.value); } ( ',' t=term { $elements.add($t.value); } )* ')'
      { $value = new Term.TupleLiteral($elements); }
    ;

value_ returns [Term value]
    : constant { $value = $constant.value; }
    | collectionLiteral { $value = $collectionLiteral.value; }
    | userTypeLiteral { $value = $userTypeLiteral.value; }
    | tupleLiteral { $value = $tupleLiteral.value; }
    | K_NULL { $value = new Term.Null(); }
    | ':' nonColumnName { $value = marker($nonColumnName.value); }
    | QMARK { $value = marker(null); }
    ;

intValue returns [Term value]
    : t=INTEGER { $value = new Term.Literal(Term.LiteralKind.INTEGER, text($t)); }
    | ':' nonColumnName { $value = marker($nonColumnName.value); }
    | QMARK { $value = marker(null); }
    ;

function returns [Term value]
    : f=functionName '(' ')' { $value = new Term.FunctionCall($f.value, List.of()); }
    | f=functionName '(' a=functionArguments ')' { $value = new Term.FunctionCall($f.value, $a.value); }
    ;

functionArguments returns [List<Term> value = new ArrayList<>()]
    : t=term { $value.add($t.value); } ( ',' t=term { $value.add($t.value); } )*
    ;

term returns [Term value]
    : termAddition { $value = $termAddition.value; }
    ;

termAddition returns [Term value]
    locals [int level]
    @init { $level = nesting(); }
    : l=termMultiplication { $value = $l.value; }
      ( '+' r=termMultiplication { deepen(); $value = new Term.Operation(ArithmeticOperator.ADD, $value, $r.value); }
      | '-' r=termMultiplication { deepen(); $value = new Term.Operation(ArithmeticOperator.SUBTRACT, $value, $r.value); }
      )* { nesting($level); }
    ;

termMultiplication returns [Term value]
    locals [int level]
    @init { $level = nesting(); }
    : l=termGroup { $value = $l.value; }
      ( '*' r=termGroup { deepen(); $value = new Term.Operation(ArithmeticOperator.MULTIPLY, $value, $r.value); }
      | '/' r=termGroup { deepen(); $value = new Term.Operation(ArithmeticOperator.DIVIDE, $value, $r.value); }
      | '%' r=termGroup { deepen(); $value = new Term.Operation(ArithmeticOperator.REMAINDER, $value, $r.value); }
      )* { nesting($level); }
    ;

termGroup returns [Term value]
    : t=simpleTerm { $value = $t.value; }
    | '-' t=simpleTerm { $value = new Term.Negation($t.value); }
    ;

simpleTerm returns [Term value]
    : value_ { $value = $value_.value; }
    | function { $value = $function.value; }
    | '(' typeName ')' t=simpleTerm { $value = new Term.TypeHint($typeName.value, $t.value); }
    | K_CAST '(' t=simpleTerm K_AS nativeType ')' { $value = new Term.Cast($t.value, $nativeType.value); }
    ;

// ------------------------------------------------------------------------------------------------------------------ properties

properties returns [Properties value]
    locals [PropertiesDraft draft = new PropertiesDraft()]
    : property[$draft] ( K_AND property[$draft] )* { $value = $draft.build(); }
    ;

property[PropertiesDraft draft]
    : n=nonColumnName '=' v=propertyValue { draft.add($n.value, new Properties.Value.Simple($v.value)); }
    | n=nonColumnName '=' m=mapLiteral { draft.add($n.value, new Properties.Value.MapOf(propertyMap($m.value))); }
    ;

propertyValue returns [String value]
    : constant { $value = $constant.value.text(); }
    | unreservedKeyword { $value = $unreservedKeyword.value; }
    ;

// ----------------------------------------------------------------------------------------------------------------------- types

typeName returns [TypeName value]
    : nativeType { $value = new TypeName.Native($nativeType.value); }
    | collectionType { $value = $collectionType.value; }
    | tupleType { $value = $tupleType.value; }
    | vectorType { $value = $vectorType.value; }
    | userTypeName { $value = new TypeName.UserDefined($userTypeName.value); }
    | K_FROZEN '<' t=typeName '>' { $value = frozen($t.value); }
    | s=STRING_LITERAL { $value = customType($s); }
    ;

nativeType returns [NativeType value]
    : K_ASCII { $value = NativeType.ASCII; }
    | K_BIGINT { $value = NativeType.BIGINT; }
    | K_BLOB { $value = NativeType.BLOB; }
    | K_BOOLEAN { $value = NativeType.BOOLEAN; }
    | K_COUNTER { $value = NativeType.COUNTER; }
    | K_DECIMAL { $value = NativeType.DECIMAL; }
    | K_DOUBLE { $value = NativeType.DOUBLE; }
    | K_DURATION { $value = NativeType.DURATION; }
    | K_FLOAT { $value = NativeType.FLOAT; }
    | K_INET { $value = NativeType.INET; }
    | K_INT { $value = NativeType.INT; }
    | K_SMALLINT { $value = NativeType.SMALLINT; }
    | K_TEXT { $value = NativeType.TEXT; }
    | K_TIMESTAMP { $value = NativeType.TIMESTAMP; }
    | K_TINYINT { $value = NativeType.TINYINT; }
    | K_UUID { $value = NativeType.UUID; }
    | K_VARCHAR { $value = NativeType.VARCHAR; }
    | K_VARINT { $value = NativeType.VARINT; }
    | K_TIMEUUID { $value = NativeType.TIMEUUID; }
    | K_DATE { $value = NativeType.DATE; }
    | K_TIME { $value = NativeType.TIME; }
    ;

collectionType returns [TypeName value]
    : K_MAP '<' k=typeName ',' v=typeName '>' { $value = new TypeName.MapOf($k.value, $v.value); }
    | K_LIST '<' t=typeName '>' { $value = new TypeName.ListOf($t.value); }
    | K_SET '<' t=typeName '>' { $value = new TypeName.SetOf($t.value); }
    ;

tupleType returns [TypeName value]
    locals [List<TypeName> elements = new ArrayList<>()]
    : K_TUPLE '<' t=typeName { $elements.add($t.value); } ( ',' t=typeName { $elements.add($t.value); } )* '>'
      { $value = new TypeName.TupleOf($elements); }
    ;

vectorType returns [TypeName value]
    : K_VECTOR '<' t=typeName ',' d=INTEGER '>' { $value = new TypeName.VectorOf($t.value, dimension($d)); }
    ;

nonTypeName returns [String value]
    : t=IDENT { $value = userTypeNameOf($t); }
    | t=QUOTED_NAME { $value = text($t); }
    | basicUnreservedKeyword { $value = folded($basicUnreservedKeyword.value); }
    | k=K_KEY { $value = folded($k); }
    ;

// -------------------------------------------------------------------------------------------------------------------- keywords

unreservedKeyword returns [String value]
    : unreservedFunctionKeyword { $value = $unreservedFunctionKeyword.value; }
    | k=( K_TTL | K_COUNT | K_WRITETIME | K_MAXWRITETIME | K_KEY | K_CAST | K_JSON | K_DISTINCT ) { $value = text($k); }
    ;

unreservedFunctionKeyword returns [String value]
    : basicUnreservedKeyword { $value = $basicUnreservedKeyword.value; }
    | nativeType { $value = $nativeType.value.toString(); }
    ;

basicUnreservedKeyword returns [String value]
    : k=( K_ACCESS | K_AGGREGATE | K_AGGREGATES | K_ALL | K_ANN | K_AS | K_CALLED | K_CIDRS | K_CLUSTER | K_CLUSTERING | K_COMPACT
        | K_CONTAINS | K_CUSTOM | K_DATACENTERS | K_DEFAULT | K_EXISTS | K_FILTERING | K_FINALFUNC | K_FROZEN | K_FUNCTION
        | K_FUNCTIONS | K_GROUP | K_HASHED | K_IDENTITY | K_INITCOND | K_INPUT | K_INTERNALS | K_KEYS | K_KEYSPACES | K_LANGUAGE
        | K_LIKE | K_LIST | K_LOGIN | K_MAP | K_MASKED | K_MBEAN | K_MBEANS | K_NOLOGIN | K_NOSUPERUSER | K_ONLY | K_OPTIONS
        | K_PARTITION | K_PASSWORD | K_PER | K_PERMISSION | K_PERMISSIONS | K_REPLACE | K_RETURNS | K_ROLE | K_ROLES
        | K_SELECT_MASKED | K_SFUNC | K_STATIC | K_STORAGE | K_STYPE | K_SUPERUSER | K_TABLES | K_TRIGGER | K_TUPLE | K_TYPE
        | K_TYPES | K_UNMASK | K_UNSET | K_USER | K_USERS | K_VALUES | K_VECTOR )
      { $value = text($k); }
    ;
