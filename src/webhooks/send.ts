import { AddressError } from '#outbound/address.ts';
import type { OutboundClient } from '#outbound/client.ts';
import { OutboundError } from '#outbound/error.ts';
import { readRetryAfter } from './schedule.ts';
import { signatureHeader } from './signature.ts';

/** Milliseconds that a receiver has. */
export const RECEIVER_LIMIT = 10_000;
/** Characters of a reply that are kept. */
const REPLY_LENGTH = 500;
/** Four bytes a character at most; the rest is not read. */
const REPLY_BYTES = REPLY_LENGTH * 4;
/** Milliseconds that the reply of a receiver that has accepted is waited for. */
const REPLY_LIMIT = 1_000;
/** The length read of a response is limited elsewhere; this only lets it start. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER;

/** A message to a receiver. */
export interface Message {
  url: string;
  eventId: string;
  eventType: string;
  /** From 1; replays count on. */
  attempt: number;
  body: string;
  secrets: readonly string[];
}

/** How an attempt went. */
export interface Outcome {
  accepted: boolean;
  /** Status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  reply: string;
  /** Milliseconds that the receiver wants to be left alone for. */
  retryAfter: number | null;
}

/** Sends an event to its receiver once. Any 2xx status accepts it, even if the body fails. Never throws. */
export async function sendMessage(
  client: OutboundClient,
  message: Message,
  now: number,
  timeoutMs = RECEIVER_LIMIT,
): Promise<Outcome> {
  try {
    const answer = await client.fetch(message.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1',
        'accept-encoding': 'identity',
        'service-signature': signatureHeader(message.body, message.secrets, Math.floor(now / 1_000)),
        'service-event-id': message.eventId,
        'service-event-type': message.eventType,
        'service-delivery-attempt': String(message.attempt),
      },
      body: message.body,
      timeoutMs,
      maxBytes: ANY_LENGTH,
    });
    const accepted = answer.status >= 200 && answer.status < 300;
    return {
      accepted,
      status: answer.status,
      error: accepted ? null : 'status',
      reply: await readReply(answer, Math.min(REPLY_LIMIT, timeoutMs)),
      retryAfter: readRetryAfter(answer.headers['retry-after'], now),
    };
  } catch (error) {
    return { accepted: false, status: null, error: nameOf(error), reply: '', retryAfter: null };
  }
}

/** Reads the start of a response, or the part that arrived in time. */
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
    // The part received so far is returned.
  } finally {
    clearTimeout(timer);
  }
  // A text column takes no NUL; half a pair of surrogates cannot be written as UTF-8.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
  return text.slice(0, REPLY_LENGTH).toWellFormed();
}

/** A short name of an error. Messages could reveal details of the internal network. */
function nameOf(error: unknown): string {
  if (error instanceof OutboundError) return error.code;
  if (error instanceof AddressError) return 'address_not_allowed';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code) ? code.toLowerCase() : 'connection_failed';
}
