import type { Interaction } from 'oidc-provider';
import type { HttpContext } from '#src/http/context.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import { createConnection, retainClient } from './assistants.ts';
import type { AuthorizationServer, OauthServices } from './authorization-server.ts';
import { type DescribedClient, describeClient, formActionOf } from './clients.ts';
import { resourceOf, SCOPE } from './metadata.ts';
import { cookieNames, GRANT_S } from './provider.ts';

const DAY_S = 86_400;

/** What a person decides about, in the browser that the client has opened. */
export interface ConsentRequest {
  id: string;
  client: DescribedClient;
  /** Source of `form-action` for the redirect to the client. */
  formAction: string;
}

interface Choice {
  /** Public id; null for the whole organization. */
  project: string | null;
  withExports: boolean;
}

export class Consents {
  readonly #services: OauthServices;
  readonly #server: AuthorizationServer;

  constructor(services: OauthServices, server: AuthorizationServer) {
    this.#services = services;
    this.#server = server;
  }

  /** The open interaction of this browser; null if it has expired, was decided, or another has replaced it. */
  async #find(context: HttpContext, id: string): Promise<Interaction | null> {
    if (context.cookies.get(cookieNames(this.#services.config.siteUrl).interaction) !== id) return null;
    const interaction = await (await this.#server.provider()).Interaction.find(id);
    return interaction && !interaction.result ? interaction : null;
  }

  /** Null if the request has expired or belongs to another browser. */
  async read(context: HttpContext, id: string): Promise<ConsentRequest | null> {
    const interaction = await this.#find(context, id);
    if (!interaction) return null;
    const { Client } = await this.#server.provider();
    const { client_id, redirect_uri } = interaction.params as { client_id: string; redirect_uri: string };
    const found = await Client.find(client_id).catch(() => undefined);
    if (!found) return null;
    const client = describeClient(client_id, found.clientName, redirect_uri);
    return { id, client, formAction: formActionOf(redirect_uri) };
  }

  /**
   * Connects the client to the organization that the session has chosen.
   * @returns where the browser continues; null if the request has expired
   * @throws RequestError forbidden_action, not_found (project)
   */
  async approve(context: HttpContext, { id, client }: ConsentRequest, session: Session, choice: Choice) {
    const interaction = await this.#find(context, id);
    if (!interaction) return null;
    const { pool, clock, config } = this.#services;
    const { Grant } = await this.#server.provider();
    const accountId = session.person.id;
    const grant = new Grant({ accountId, clientId: client.id });
    grant.addResourceScope(resourceOf(config), SCOPE);
    // The package also requires it as a scope of its own, where clients register it.
    grant.addOIDCScope(SCOPE);
    const grantId = await grant.save();
    const origin = { now: clock.now(), requestId: context.state.requestId };
    try {
      await createConnection(this.#services, session, grantId, { client, ...choice }, origin);
    } catch (error) {
      await grant.destroy();
      throw error;
    }
    await retainClient(pool, client.id, GRANT_S + DAY_S);
    return finish(interaction, { login: { accountId }, consent: { grantId } });
  }

  /** @returns where the browser continues; null if the request has expired */
  async deny(context: HttpContext, { id }: ConsentRequest): Promise<string | null> {
    const interaction = await this.#find(context, id);
    const error_description = 'The person refused the connection.';
    return interaction && finish(interaction, { error: 'access_denied', error_description });
  }
}

async function finish(interaction: Interaction, result: Interaction['result']): Promise<string> {
  interaction.result = result;
  await interaction.persist();
  return interaction.returnTo;
}
