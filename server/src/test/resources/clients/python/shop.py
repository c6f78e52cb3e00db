"""A small shop with cqlengine, the object mapper of the Python driver: shop.py HOST PORT. Ends with 0 if all of it works."""

import datetime
import decimal
import os
import sys
import uuid

os.environ["CQLENG_ALLOW_SCHEMA_MANAGEMENT"] = "1"

from cassandra.cqlengine import columns, connection
from cassandra.cqlengine.management import create_keyspace_simple, drop_keyspace, drop_table, sync_table, sync_type
from cassandra.cqlengine.models import Model
from cassandra.cqlengine.query import BatchQuery, BatchType, DoesNotExist, LWTException
from cassandra.cqlengine.usertype import UserType

KEYSPACE = "cqlengine_shop"
NOON = datetime.datetime(2026, 11, 22, 12)


class Address(UserType):
    street = columns.Text()
    zip = columns.Integer()


class Order(Model):
    __keyspace__ = KEYSPACE
    __table_name__ = "orders"
    __options__ = {"comment": "what customers want", "gc_grace_seconds": 3600}
    customer = columns.Text(partition_key=True)
    placed = columns.DateTime(primary_key=True, clustering_order="DESC")
    id = columns.UUID(primary_key=True, default=uuid.uuid4)
    language = columns.Text(static=True)
    price = columns.Decimal()
    tags = columns.Set(columns.Text)
    wares = columns.Map(columns.Text, columns.Integer)
    notes = columns.List(columns.Text)
    ship_to = columns.UserDefinedType(Address)
    paid = columns.Boolean(default=False)


class OrderWithDiscount(Order):
    discount = columns.Double()


def expect(error, action):
    try:
        action()
    except error as e:
        return e
    raise AssertionError("%s expected" % error.__name__)


def create_read_update_delete():
    order = Order.create(
        customer="ada", placed=NOON, price=decimal.Decimal("4.20"), tags={"new", "é"}, wares={"tea": 1}, notes=["a", "b"],
        ship_to=Address(street="Main", zip=12345), language="en")
    read = Order.get(customer="ada", placed=NOON, id=order.id)
    assert dict(read) == dict(order), (dict(read), dict(order))
    read.tags.add("more")
    read.wares["cake"] = 2
    del read.wares["tea"]
    read.notes.append("c")
    read.notes.insert(0, "z")
    read.price = None
    read.save()
    changed = Order.get(customer="ada", placed=NOON, id=order.id)
    assert changed.tags == {"new", "é", "more"} and changed.wares == {"cake": 2}, dict(changed)
    assert changed.notes == ["z", "a", "b", "c"] and changed.price is None, dict(changed)
    Order.objects(customer="ada", placed=NOON, id=order.id).update(
        tags__remove={"new"}, wares__update={"jam": 3}, notes__append=["d"], paid=True)
    changed = Order.get(customer="ada", placed=NOON, id=order.id)
    assert changed.tags == {"é", "more"} and changed.wares == {"cake": 2, "jam": 3} and changed.paid, dict(changed)
    changed.delete()
    expect(DoesNotExist, lambda: Order.get(customer="ada", placed=NOON, id=order.id))


def queries():
    for minute in range(25):
        Order.ttl(600).create(customer="joan", placed=NOON + datetime.timedelta(minutes=minute), price=minute)
    late = Order.objects.filter(customer="joan", placed__gte=NOON + datetime.timedelta(minutes=20))
    assert [int(o.price) for o in late] == [24, 23, 22, 21, 20]
    assert Order.objects(customer="joan").count() == 25
    assert len(Order.objects(customer="joan").limit(7)) == 7
    assert [int(o.price) for o in Order.objects(customer="joan").order_by("placed").limit(3)] == [0, 1, 2]
    assert list(Order.objects(customer="joan").values_list("price", flat=True).limit(1)) == [24]
    assert len(list(Order.objects(customer="joan").fetch_size(10))) == 25
    assert len(Order.objects.filter(customer__in=["joan", "nobody"], placed=NOON)) == 1
    assert len(Order.objects.filter(price=3).allow_filtering()) == 1
    assert sorted(set(Order.objects.distinct(["customer"]).values_list("customer", flat=True))) == ["ada", "joan"]  # of ada, the static column
    Order.objects(customer="joan").delete()
    assert Order.objects(customer="joan").count() == 0


def conditions():
    key = uuid.uuid4()
    order = Order.if_not_exists().create(customer="grace", placed=NOON, id=key, price=1)
    refused = expect(LWTException, lambda: Order.if_not_exists().create(customer="grace", placed=NOON, id=key, price=2))
    assert refused.existing["[applied]"] is False and refused.existing["price"] == 1, refused.existing
    order.iff(price=1).update(price=3)
    refused = expect(LWTException, lambda: order.iff(price=1).update(price=4))
    assert refused.existing == {"[applied]": False, "price": 3}, refused.existing
    Order.objects(customer="grace", placed=NOON, id=key).iff(price__ne=4).update(price=5)
    Order.objects(customer="grace", placed=NOON, id=key).if_exists().delete()
    expect(LWTException, lambda: Order.objects(customer="grace", placed=NOON, id=key).if_exists().delete())


def batches():
    with BatchQuery() as batch:
        for minute in range(3):
            Order.batch(batch).create(customer="mary", placed=NOON + datetime.timedelta(minutes=minute))
    assert Order.objects(customer="mary").count() == 3
    with BatchQuery(batch_type=BatchType.Unlogged, timestamp=datetime.timedelta(seconds=1)) as batch:
        Order.objects(customer="mary").batch(batch).delete()
        Order.batch(batch).create(customer="mary", placed=NOON, price=7, language="fr")
    assert Order.objects(customer="mary").count() <= 3


def schema():
    """A second sync changes nothing; one with another column adds it."""
    sync_table(Order)
    OrderWithDiscount.__table_name__ = "orders"
    sync_table(OrderWithDiscount)
    OrderWithDiscount.create(customer="joan", placed=NOON, discount=0.5)
    assert OrderWithDiscount.objects(customer="joan").first().discount == 0.5
    table = connection.get_cluster().metadata.keyspaces[KEYSPACE].tables["orders"]
    assert "discount" in table.columns and table.columns["language"].is_static
    assert table.options["comment"] == "what customers want" and table.options["gc_grace_seconds"] == 3600
    drop_table(Order)
    assert "orders" not in connection.get_cluster().metadata.keyspaces[KEYSPACE].tables


def main(host, port):
    connection.setup([host], KEYSPACE, port=port, protocol_version=5, lazy_connect=False, connect_timeout=60)
    connection.get_session().default_timeout = 60
    drop_keyspace(KEYSPACE)
    create_keyspace_simple(KEYSPACE, 1)
    sync_type(KEYSPACE, Address)
    sync_table(Order)
    create_read_update_delete()
    queries()
    conditions()
    batches()
    schema()
    drop_keyspace(KEYSPACE)
    connection.unregister_connection("default")
    print("all of it works")


main(sys.argv[1], int(sys.argv[2]))
