import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export interface InjectedRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface InjectedResponse {
  status: number;
  /** Headers by lowercase name. */
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
}

const decompress = promisify(gunzip);

/** @param remoteAddress null if unknown */
export async function injectRequest(
  listener: RequestListener,
  { method, url, headers, body }: InjectedRequest,
  remoteAddress: string | null,
): Promise<InjectedResponse> {
  // Most processes and tests serve neither pages nor assistants.
  const { inject } = await import('light-my-request');
  const response = await inject(listener, {
    method,
    url,
    headers,
    ...(body && { payload: body }),
    // The default is a loopback address, which may be that of a trusted proxy.
    remoteAddress: remoteAddress ?? 'unknown',
  });
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  const text = isCompressed ? String(await decompress(response.rawPayload)) : response.payload;
  return { status: response.statusCode, headers: response.headers as Record<string, string>, text };
}
