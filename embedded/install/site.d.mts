export function buildSite(project: string): Promise<void>;
