import { Admission } from '#domain/admission.ts';
import { test } from '#test/test.ts';

/** Requests that the event loop serves in a window. */
const CAPACITY = 150;
/** Work of a refusal by this limit, and of one by the queues of reads, as a share of that of a served request. */
const REFUSAL = 0.02;
const LATE_REFUSAL = 0.16;
/** Share of the loop at which reads are refused by their queues. */
const SERVED = 0.85;
const WINDOWS = 400;
const SETTLED = 100;

interface Load {
  sender: string;
  /** Requests of a window. */
  count: number;
}

/** Sends loads for some windows. Arrivals of senders alternate, and work that does not fit delays the next window. */
function run(admission: Admission, loads: readonly Load[], windows = WINDOWS) {
  const [admitted, refused] = [new Map<string, number>(), new Map<string, number>()];
  let served = 0;
  let behind = 0;
  for (let at = 0; at < windows; at++) {
    let begun = 0;
    let turnedAway = 0;
    const most = Math.max(...loads.map(({ count }) => count));
    for (let turn = 0; turn < most; turn++)
      for (const { sender } of loads.filter(({ count }) => turn < count)) {
        const isIn = admission.admits(sender);
        if (isIn) begun++;
        else turnedAway++;
        if (at < SETTLED) continue;
        const of = isIn ? admitted : refused;
        of.set(sender, (of.get(sender) ?? 0) + 1);
      }
    const time = CAPACITY - behind - REFUSAL * turnedAway;
    const ofWindow = Math.max(
      0,
      Math.min(begun, SERVED * CAPACITY, (time - LATE_REFUSAL * begun) / (1 - LATE_REFUSAL)),
    );
    const work = behind + REFUSAL * turnedAway + ofWindow + LATE_REFUSAL * (begun - ofWindow);
    behind = Math.max(0, work - CAPACITY);
    if (at >= SETTLED) served += ofWindow;
    admission.endWindow(Math.min(1, work / CAPACITY));
  }
  return { admitted, refused, served: served / Math.max(1, windows - SETTLED) / (SERVED * CAPACITY) };
}

for (const times of [2, 4, 8, 16])
  test(`at ${times} times the capacity of the event loop most of it serves requests`, (t) => {
    const senders = Array.from({ length: 8 }, (_, at) => ({ sender: `${at}`, count: (times * CAPACITY) / 8 }));
    const { served } = run(new Admission(), senders);
    const most = Math.min(1, (CAPACITY - REFUSAL * (times - SERVED) * CAPACITY) / (SERVED * CAPACITY));
    t.true(served > 0.85 * most, `${served} of the requests that are served without overload`);
    const unlimited = run({ admits: () => true, endWindow: () => {} } as unknown as Admission, senders).served;
    t.true(times < 8 || unlimited < 0.1, `${unlimited} without the limit`);
  });

test('no call of a key within its part is refused beside a flood of another', (t) => {
  const admission = new Admission();
  for (const key of ['flood', 'other']) admission.recognize(key);
  const { refused } = run(admission, [
    { sender: 'flood', count: 10 * CAPACITY },
    { sender: 'other', count: 10 },
  ]);
  t.true((refused.get('flood') ?? 0) > 0);
  t.is(refused.get('other'), undefined);
});

test('requests with new keys have one part together, and calls of a known key are not refused beside them', (t) => {
  const admission = new Admission();
  admission.recognize('known');
  let refused = 0;
  for (let at = 0; at < 40; at++) {
    for (let call = 0; call < 2_000; call++) {
      admission.admits(call % 2 === 0 ? undefined : `unknown ${at} ${call}`);
      if (call % 100 === 0 && !admission.admits('known')) refused++;
    }
    admission.endWindow(1);
  }
  t.true(admission.refused > 10_000, `${admission.refused}`);
  t.is(refused, 0);
});

test('a burst, a busy process with few requests, and a load that ended are not limited', (t) => {
  const burst = new Admission();
  for (const utilization of [1, 1, 1, 1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 0.5]) {
    for (let call = 0; call < 1_000; call++) t.true(burst.admits('one'));
    burst.endWindow(utilization);
  }
  const few = new Admission();
  for (let at = 0; at < 50; at++) {
    for (let call = 0; call < 90; call++) t.true(few.admits('one'));
    few.endWindow(1);
  }
  const ended = new Admission();
  run(ended, [{ sender: 'one', count: 8 * CAPACITY }]);
  ended.endWindow(0.1);
  ended.endWindow(0.1);
  const before = ended.refused;
  for (let call = 0; call < 1_000; call++) ended.admits('one');
  t.is(ended.refused, before);
});
