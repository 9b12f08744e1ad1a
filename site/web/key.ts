const NAME = 'key';

/** Returns the key that was pasted in this tab, or the demo key. It is stored only in the session of the tab. */
export const readKey = (demo: string | null): string => sessionStorage.getItem(NAME) ?? demo ?? '';

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
