export interface Java {
  home: string;
  version: number;
}
export const OLDEST_JAVA: number;
export function findJava(
  env: Readonly<Record<string, string | undefined>>,
  folders?: readonly string[],
): { found?: Java; seen: Java[] };
