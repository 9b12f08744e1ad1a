export function distributionFolder(project: string): string;
