import type { Config } from '#src/config.ts';

export const TRIAL_PATH = '/trial-keys';

type Address = Pick<Config, 'siteUrl' | 'baseUrl' | 'serviceName' | 'hasSelfService' | 'contactUrl'>;

/** Returns `/auth.md`: how a program that has only the address of the site gets a key. Markdown, pure. */
export function authDocument({ siteUrl, baseUrl, serviceName, hasSelfService, contactUrl }: Address): string {
  const trial = `## Without an account

\`\`\`sh
curl -X POST ${siteUrl}${TRIAL_PATH}
\`\`\`

Returns 201 with a test key: \`{"data": {"key": "svc_test_...", "expires_at": "...", "units": 100, "base_url": "${baseUrl}", "claim_url": "..."}}\`.

- The key works for 72 hours and has 100 units, the APIs of the Free plan, and pages of 25 rows. \`GET ${baseUrl}/limits\` states what is left.
- One key per network and day. A refused request returns 429 with \`Retry-After\`.
- Show \`claim_url\` to the person for whom you work. After a sign-in, the key becomes a test key of that person, and the same key continues to work.

## With an account

A person opens an account on the Free plan at ${siteUrl}/sign-up and receives a key. Members sign in at ${siteUrl}/sign-in.`;
  const operator = `## Get a key

The operator of this service creates accounts${contactUrl === null ? '' : `: ${contactUrl}`}. Members sign in at ${siteUrl}/sign-in.`;
  return `# Authentication of ${serviceName}

Every request of the API carries a key: \`Authorization: Bearer <API_KEY>\`.

\`\`\`sh
curl -H 'Authorization: Bearer <API_KEY>' '${baseUrl}/listings?city=riyadh&listing_type=rent&limit=1'
\`\`\`

${hasSelfService ? trial : operator}

The API is described at ${baseUrl}/openapi.json, and ${siteUrl}/llms.txt lists the guides.
`;
}
