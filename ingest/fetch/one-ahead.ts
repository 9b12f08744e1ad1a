/** Requests each item while the previous one is processed. */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (let item = await next; !item.done; item = await next) {
      next = iterator.next();
      // Handled where it is awaited.
      next.catch(() => {});
      yield item.value;
    }
  } finally {
    await next.catch(() => {});
    await iterator.return?.();
  }
}
