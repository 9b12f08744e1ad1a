import type { Mail } from '#mail/outbox.ts';

export interface DisabledNotice {
  /** Public id of the endpoint. */
  id: string;
  /** Host and port of the endpoint's URL. The path is omitted because it may contain a secret. */
  host: string;
  disabledAt: Date;
  failedDeliveries: number;
  owners: readonly string[];
}

/** Builds the emails that notify the owners of an organization about a disabled endpoint. Pure. */
export function disabledMails(
  { id, host, disabledAt, failedDeliveries, owners }: DisabledNotice,
  { serviceName, siteUrl }: { serviceName: string; siteUrl: string },
): Mail[] {
  const at = `${disabledAt.toISOString().slice(0, 19)}Z`;
  return owners.map((recipient) => ({
    // The time is part of the reason, so that owners receive another email if the endpoint is enabled and fails again.
    reason: `webhook.disabled ${id} ${at}`,
    recipient,
    subject: `${serviceName}: webhook endpoint ${id} was disabled`,
    body: `The webhook endpoint ${id} at ${host} was disabled at ${at}.

${failedDeliveries} deliveries failed after all their attempts. No deliveries are sent until it is enabled again. No event is
lost: new events wait, and failed deliveries can be replayed.

1. Read the responses of the receiver: GET /v1/organization/webhooks/${id}/deliveries?status=failed
2. Fix the receiver. Test events and replays are still sent.
3. Contact us to enable the endpoint.

${siteUrl}
`,
  }));
}
