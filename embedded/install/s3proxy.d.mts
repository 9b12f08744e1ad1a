export function s3ProxyFolder(project: string): string;
