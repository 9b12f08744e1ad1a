import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './listen.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

/** A span as received. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: Record<string, string | undefined>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** An OTLP/HTTP receiver of traces. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders; service: string | undefined; spans: number }[];
  /** Status of its responses. Without one, it never responds. */
  status: number | null;
  close(): Promise<void>;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      const spans = scopeSpans.flatMap((scope) => scope.spans);
      receiver.spans.push(...spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })));
      const { url: path = '', headers } = request;
      const service = valuesOf(resource.attributes)['service.name'];
      receiver.requests.push({ path, headers, service, spans: spans.length });
    }
    if (receiver.status !== null) response.writeHead(receiver.status, { 'Content-Type': 'application/json' }).end('{}');
  });
  const { url, close } = await listen(server);
  const receiver: TraceReceiver = { url, spans: [], requests: [], status: 200, close };
  return receiver;
}
