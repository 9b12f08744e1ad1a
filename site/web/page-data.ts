export function pageData<T>(): T {
  return JSON.parse(document.querySelector('#data')?.textContent ?? '{}') as T;
}
