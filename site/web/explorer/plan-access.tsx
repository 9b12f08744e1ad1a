import { useEffect, useRef } from 'preact/hooks';
import type { KeyLimits } from '#src/site-data/responses.ts';
import { type LoadState, session } from './api-requests.ts';
import { pathOf, texts } from './page-data.ts';
import { VIEWS, type View } from './state.ts';
import { operationOf } from './view-requests.ts';

/** Unknown until the limits of the key are loaded. */
export type Access = 'full' | 'none' | 'unknown';

export function accessTo(view: View, { data: limits, loading }: LoadState<KeyLimits>): Access {
  const { scope = null, isFree } = operationOf(view) ?? {};
  if (isFree) return 'full';
  if (session.key === '') return 'none';
  if (!limits) return loading ? 'unknown' : 'full';
  return scope === null || limits.apis.includes(scope) ? 'full' : 'none';
}

const planOf = (view: View): string | null => operationOf(view)?.plan ?? null;

/** Replaces a request that the API would refuse. */
export const Locked = ({ view, plan }: { view: View; plan: string | null }) => (
  <div class="locked" role="status">
    <h2>{texts[`view_${view}`]}</h2>
    <p>{(session.key === '' ? texts.view_needs_key : texts.view_needs_plan).replace('{plan}', planOf(view) ?? '')}</p>
    {plan === null ? null : (
      <p class="note">
        {texts.your_plan} <bdi>{plan}</bdi>
      </p>
    )}
    <p>
      <a class="button" href={pathOf('/pricing')}>
        {texts.compare_plans}
      </a>{' '}
      <a href={pathOf('/pricing#key')}>{texts.get_key}</a>
    </p>
  </div>
);

export function Tabs({
  view,
  limits,
  onChoose,
}: {
  view: View;
  limits: LoadState<KeyLimits>;
  onChoose(view: View): void;
}) {
  const tabs = useRef<HTMLUListElement>(null);
  // On a phone, the tabs are one line. `scrollIntoView` would scroll the page as well.
  useEffect(() => {
    const start = tabs.current?.querySelector('[aria-pressed=true]')?.getBoundingClientRect().left ?? 0;
    tabs.current?.scrollBy({ left: start - tabs.current.getBoundingClientRect().left - 16 });
  }, [view]);
  return (
    <ul class="tabs" ref={tabs} aria-label={texts.views}>
      {VIEWS.map((each) => {
        const needs = accessTo(each, limits) === 'none' ? planOf(each) : null;
        return (
          <li key={each}>
            <button
              type="button"
              class={needs === null ? undefined : 'needs'}
              aria-pressed={each === view}
              onClick={() => onChoose(each)}
            >
              {texts[`view_${each}`]}
              {needs === null ? null : <small> {needs}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
