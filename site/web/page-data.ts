/** Returns the values that the server embedded in the page. */
export function pageData<T>(): T {
  return JSON.parse(document.querySelector('#data')?.textContent ?? '{}') as T;
}
