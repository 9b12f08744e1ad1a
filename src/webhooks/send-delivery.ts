import type { Config } from '#src/config.ts';
import { AddressError, type AddressPolicy } from '#stores/outbound/address.ts';
import { type OutboundClient, OutboundError } from '#stores/outbound/outbound-client.ts';
import { readRetryAfter } from './schedule.ts';
import { signatureHeader, standardHeaders } from './signature-header.ts';

/** Timeout in milliseconds for the response of a receiver. */
export const RECEIVER_TIMEOUT_MS = 10_000;
/** Characters of a response body that are stored. */
const REPLY_LENGTH = 500;
/** A UTF-8 character has at most four bytes. */
const REPLY_BYTES = REPLY_LENGTH * 4;
const REPLY_TIMEOUT_MS = 1_000;
/** `readReply` has a separate limit. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER;

/** Checked at the registration of an endpoint and for each delivery. */
export const webhookAddresses = ({ webhookPrivateHosts }: Pick<Config, 'webhookPrivateHosts'>): AddressPolicy => ({
  httpsOnly: true,
  privateHosts: webhookPrivateHosts,
});

export interface Message {
  url: string;
  eventId: string;
  eventType: string;
  /** Number of the attempt from 1. Replays continue the count. */
  attempt: number;
  body: string;
  secrets: readonly string[];
}

/** Succeeds with any 2xx status, even if reading the response body fails. Without a response, `status` is null. */
export async function sendMessage(
  client: OutboundClient,
  message: Message,
  now: number,
  timeoutMs = RECEIVER_TIMEOUT_MS,
) {
  const { eventId, body, secrets } = message;
  const seconds = Math.floor(now / 1_000);
  try {
    const answer = await client.fetch(message.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'service-signature': signatureHeader(body, secrets, seconds),
        'service-event-id': eventId,
        'service-event-type': message.eventType,
        'service-delivery-attempt': String(message.attempt),
        ...standardHeaders(eventId, body, secrets, seconds),
      },
      body,
      timeoutMs,
      maxBytes: ANY_LENGTH,
    });
    const accepted = answer.status >= 200 && answer.status < 300;
    return {
      accepted,
      status: answer.status,
      error: accepted ? null : 'status',
      reply: await readReply(answer, Math.min(REPLY_TIMEOUT_MS, timeoutMs)),
      retryAfter: readRetryAfter(answer.headers['retry-after'], now),
    };
  } catch (error) {
    return { accepted: false, status: null, error: nameOf(error), reply: '', retryAfter: null };
  }
}

async function readReply(
  { body, discard }: { body: AsyncIterable<Uint8Array>; discard(): void },
  limit: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(discard, limit);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= REPLY_BYTES) break;
    }
  } catch {
    // The text received before an error is kept.
  } finally {
    clearTimeout(timer);
  }
  // Postgres text columns cannot store NUL characters or unpaired surrogates.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
  return text.slice(0, REPLY_LENGTH).toWellFormed();
}

/** The message could reveal details of the internal network. */
function nameOf(error: unknown): string {
  if (error instanceof OutboundError) return error.code;
  if (error instanceof AddressError) return 'address_not_allowed';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code) ? code.toLowerCase() : 'connection_failed';
}
