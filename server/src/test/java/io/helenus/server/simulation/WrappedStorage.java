package io.helenus.server.simulation;

import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.Tables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A storage of which parts are replaced for planted bugs. Stateless. */
public final class WrappedStorage {
  private WrappedStorage() {}

  /**
   * Replaces the engines, and what the storage is told of tables once it is open.
   *
   * @param engines applied to each
   * @param tables applied to each change
   */
  public static Storage of(
      Storage storage, UnaryOperator<StorageEngine> engines, UnaryOperator<Tables> tables) {
    List<StorageEngine> wrapped = new ArrayList<>();
    storage.engines().forEach(engine -> wrapped.add(engines.apply(engine)));
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("engines")) {
                return wrapped;
              }
              if (method.getName().equals("tablesChanged")) {
                arguments[0] = tables.apply((Tables) arguments[0]);
              }
              try {
                return method.invoke(storage, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
