export function unzip(file: string, folder: string): void;
