package io.helenus.docker.spring.items;

import org.springframework.data.repository.ListCrudRepository;

/** The items; implemented by Spring Data. */
public interface ItemRepository extends ListCrudRepository<Item, Integer> {}
