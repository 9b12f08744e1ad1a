import type { InternalCall } from '#src/http/internal-caller.ts';
import type { Site } from '../page.ts';
import { type PrivateArea, type PrivateRequest, redirectAfterForm } from '../private-area.ts';
import { serveClaim } from './claim-page.ts';
import type { SignInSite } from './forms.ts';
import { serveInbox, serveSignIn } from './sign-in-pages.ts';
import { serveSignUp } from './sign-up-pages.ts';

type ServePage = (pages: SignInSite, request: PrivateRequest) => Promise<void>;

const PAGES: Readonly<Record<string, ServePage>> = {
  '/sign-in': serveSignIn,
  '/sign-in/inbox': serveInbox,
  '/sign-out': serveSignOut,
  '/sign-up': serveSignUp,
  '/claim': serveClaim,
};

/** Pages of sign-in, sign-up and trial keys. */
export const signInArea = (site: Site, { call }: { call: InternalCall }): PrivateArea => ({
  paths: /^\/(sign-in|sign-in\/inbox|sign-out|sign-up|claim)$/,
  serve: async (request) => PAGES[request.path]?.({ site, call }, request),
});

async function serveSignOut({ site: { signIn } }: SignInSite, { context, language, form }: PrivateRequest) {
  const token = signIn.sessionToken(context.get('Cookie'));
  if (form === null || token === null) return redirectAfterForm(context, language, '/sign-in');
  await signIn.signOut(token);
  context.append('Set-Cookie', signIn.sessionCookie(null));
  redirectAfterForm(context, language, '/sign-in?signed_out=1');
}
