import { useEffect, useState } from 'preact/hooks';
import { type CallFailed, retryFailed } from './api-requests.ts';
import { data, format, pathOf, texts } from './page-data.ts';

const ADVICE: Readonly<Record<string, string>> = texts.advice;

/** Shows why a request failed and what to do, or the seconds until it is retried. */
export function Failed({ error: { message, status, param, retryAt } }: { error: CallFailed }) {
  const isServer = status !== null && status >= 500;
  const hasField = data.filters.some((filter) => filter.hasField && filter.name === param);
  const { no_session, day_limit } = texts.faults;
  const advice =
    message === no_session
      ? undefined
      : hasField
        ? texts.advice_field
        : ADVICE[isServer ? 'server' : (status ?? 'offline')];
  return (
    <div class="failed" role="alert">
      {hasField ? null : <p>{message}</p>}
      {retryAt !== null ? <Countdown until={retryAt} /> : advice ? <p>{advice}</p> : null}
      {message === day_limit ? <a href={pathOf('/pricing#key')}>{texts.get_key}</a> : null}
      {retryAt === null && (isServer || status === null) ? (
        <button type="button" onClick={retryFailed}>
          {texts.try_again}
        </button>
      ) : null}
    </div>
  );
}

function Countdown({ until }: { until: number }) {
  const secondsLeft = () => Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    setLeft(secondsLeft());
    const timer = setInterval(() => setLeft(secondsLeft()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p>
      {texts.retry_in} {/* Screen readers read the message once, not every second. */}
      <span role="timer" aria-live="off">
        {format.count(texts.seconds, left)}
      </span>
    </p>
  );
}
