import { AddressError } from '#outbound/address.ts';
import type { OutboundClient } from '#outbound/client.ts';
import { OutboundError } from '#outbound/error.ts';
import { readRetryAfter } from './schedule.ts';
import { signatureHeader } from './signature.ts';

/** Timeout of a receiver in milliseconds. */
export const RECEIVER_TIMEOUT_MS = 10_000;
/** Maximum number of stored characters of a response body. */
const REPLY_LENGTH = 500;
/** A character has at most four bytes. Further bytes are not read. */
const REPLY_BYTES = REPLY_LENGTH * 4;
/** Milliseconds to wait for the body of a response. */
const REPLY_TIMEOUT_MS = 1_000;
/** Disables the size limit of the client, because `readReply` limits how much it reads. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER;

/** A request to a receiver. */
export interface Message {
  url: string;
  eventId: string;
  eventType: string;
  /** Number of the attempt, from 1. Replays continue the count. */
  attempt: number;
  body: string;
  secrets: readonly string[];
  /** Trace of this attempt, if it is recorded. */
  traceparent?: string;
}

/** The outcome of an attempt. */
export interface Outcome {
  accepted: boolean;
  /** HTTP status of the response. Null if there was none. */
  status: number | null;
  error: string | null;
  reply: string;
  /** Milliseconds after which the receiver accepts a retry. Null if it did not state this. */
  retryAfter: number | null;
}

/** Sends an event to its receiver once. Any 2xx status accepts it, even if reading the response body fails. Never throws. */
export async function sendMessage(
  client: OutboundClient,
  message: Message,
  now: number,
  timeoutMs = RECEIVER_TIMEOUT_MS,
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
        ...(message.traceparent === undefined ? {} : { traceparent: message.traceparent }),
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
      reply: await readReply(answer, Math.min(REPLY_TIMEOUT_MS, timeoutMs)),
      retryAfter: readRetryAfter(answer.headers['retry-after'], now),
    };
  } catch (error) {
    return { accepted: false, status: null, error: nameOf(error), reply: '', retryAfter: null };
  }
}

/** Returns the start of a response body, as far as it arrived in time. */
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
    // Returns the part that was received.
  } finally {
    clearTimeout(timer);
  }
  // Postgres text columns cannot store NUL, and an unpaired surrogate is not valid UTF-8.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
  return text.slice(0, REPLY_LENGTH).toWellFormed();
}

/** Returns a short name of an error. Messages could reveal details of the internal network. */
function nameOf(error: unknown): string {
  if (error instanceof OutboundError) return error.code;
  if (error instanceof AddressError) return 'address_not_allowed';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code) ? code.toLowerCase() : 'connection_failed';
}
