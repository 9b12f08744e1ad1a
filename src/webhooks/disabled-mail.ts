import type { Mail } from '#mail/outbox.ts';

export interface DisabledNotice {
  /** Of the endpoint. */
  id: string;
  /** Where its deliveries went, without the path: that may hold a secret. */
  host: string;
  disabledAt: Date;
  failedDeliveries: number;
  owners: readonly string[];
}

/** What tells the owners of an organization that an endpoint was disabled. Pure. */
export function disabledMails(
  { id, host, disabledAt, failedDeliveries, owners }: DisabledNotice,
  { serviceName, siteUrl }: { serviceName: string; siteUrl: string },
): Mail[] {
  const at = `${disabledAt.toISOString().slice(0, 19)}Z`;
  return owners.map((recipient) => ({
    // An endpoint that is enabled again and fails again is told of again.
    reason: `webhook.disabled ${id} ${at}`,
    recipient,
    subject: `${serviceName}: webhook endpoint ${id} was disabled`,
    body: `The webhook endpoint ${id} at ${host} was disabled at ${at}.

${failedDeliveries} deliveries used up all their attempts. Nothing more is sent to it until it is enabled again, and nothing is
lost: events wait, and deliveries that failed can be sent again.

1. See what the receiver answered: GET /v1/organization/webhooks/${id}/deliveries?status=failed
2. Mend the receiver. Test events and replays are sent to it all the same.
3. Ask us to enable the endpoint.

${siteUrl}
`,
  }));
}
