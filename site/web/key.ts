const NAME = 'key';

/** The key that was pasted in this tab, or else the demo's. It is kept as long as the tab is, and nowhere else. */
export const readKey = (demo: string | null): string => sessionStorage.getItem(NAME) ?? demo ?? '';

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
