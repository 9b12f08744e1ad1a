import { useEffect, useState } from 'preact/hooks';
import { type Answer, type Api, CallFailed } from './api.ts';

export interface Loaded<Body> {
  answer: Answer<Body> | null;
  error: string | null;
  loading: boolean;
}

/** The answer to an address; the one before stays until it comes. Null asks nothing. */
export function useAnswer<Body>(api: Api, address: string | null): Loaded<Body> {
  const [state, setState] = useState<Loaded<Body>>({ answer: null, error: null, loading: address !== null });
  const { key } = api;
  useEffect(() => {
    if (address === null || key === '') {
      setState({ answer: null, error: null, loading: false });
      return;
    }
    let current = true;
    setState((before) => ({ ...before, error: null, loading: true }));
    api.get<Body>(address).then(
      (answer) => current && setState({ answer, error: null, loading: false }),
      (error: unknown) =>
        current &&
        setState({ answer: null, error: error instanceof CallFailed ? error.message : String(error), loading: false }),
    );
    return () => {
      current = false;
    };
  }, [api, address, key]);
  return state;
}
