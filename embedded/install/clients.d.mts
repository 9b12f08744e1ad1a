export function buildClients(project: string): Promise<void>;
