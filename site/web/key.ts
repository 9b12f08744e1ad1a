const NAME = 'key';

/** The key that was pasted in this tab, which only its session stores, or the demo key. */
export const readKey = (demo: string | null): string => sessionStorage.getItem(NAME) ?? demo ?? '';

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
