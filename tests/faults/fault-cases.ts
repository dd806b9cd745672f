import {
  carriesBytes,
  type Fault,
  type FaultRule,
  type RequestFacts,
  type RequestKind,
} from './faults.ts'
import { MIB } from './fault-world.ts'
import { pickNumber, pickOne } from './random.ts'

/** One way to disturb an upload. */
export interface FaultCase {
  readonly name: string
  readonly rules: (device: string) => readonly FaultRule[]
  /** The most parts that may be sent again because of the fault. */
  readonly repeats: number
}

/** This many parts are sent at once, and this many may be lost by one fault. */
const SLOTS = 5

/** The first `times` PUTs meet the fault. */
const onParts = (name: string, fault: Fault, times: number, repeats = times): FaultCase => ({
  name,
  repeats,
  rules: (device) => [rule(device, 'part', fault, times)],
})
const onCall = (name: string, kind: RequestKind, fault: Fault, times: number): FaultCase => ({
  name,
  repeats: 0,
  rules: (device) => [rule(device, kind, fault, times)],
})
const error = (status: number, code: string, retryAfterS?: number): Fault => ({
  kind: 'answer',
  status,
  code,
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
})

/** Every fault alone. */
export const FAULT_CASES: readonly FaultCase[] = [
  onParts('latency before every part', { kind: 'latency', delayMs: 400 }, 8, 0),
  onParts(
    'five connections reset in the middle of the body',
    { kind: 'reset', afterBytes: 2 * MIB },
    SLOTS,
  ),
  onParts('answers lost after the parts were stored', { kind: 'lost-answer' }, SLOTS),
  onParts('answers before the body is read', { kind: 'early-answer', status: 503 }, 2),
  onParts('400 RequestTimeout', error(400, 'RequestTimeout'), 2),
  onParts('403, all addresses have expired', error(403, 'AccessDenied'), SLOTS),
  onParts('404 for a part, though the upload is there', error(404, 'NoSuchUpload'), 1, SLOTS),
  onParts('408', error(408, 'RequestTimeout'), 2),
  onParts('429 with Retry-After', error(429, 'SlowDown', 1), 3),
  onParts('503 with Retry-After', error(503, 'SlowDown', 1), 3),
  {
    name: 'a burst of 500, 502 and 504',
    repeats: 6,
    rules: (device) =>
      [500, 502, 504].map((status) => rule(device, 'part', error(status, 'InternalError'), 2)),
  },
  onParts('no ETag in the answers', { kind: 'etag', how: 'missing' }, 3, 0),
  onParts('weak ETags', { kind: 'etag', how: 'weak' }, 3, 0),
  onParts('wrong ETags', { kind: 'etag', how: 'wrong' }, 3, 0),
  onParts('parts arrive too short', { kind: 'short', missingBytes: 1_000 }, 2),
  onParts('a bit flips on the way', { kind: 'bit-flip', atByte: 777_777 }, 2),
  onParts('200 with an error inside', { kind: 'error-in-success' }, 2),
  onParts('a captive portal answers parts', { kind: 'portal' }, SLOTS),
  {
    name: 'a captive portal answers everything',
    repeats: 2,
    rules: (device) => [
      rule(device, 'create', { kind: 'portal' }, 1),
      rule(device, 'part', { kind: 'portal' }, 2),
      rule(device, 'sign', { kind: 'portal' }, 2),
      rule(device, 'complete', { kind: 'portal' }, 1),
    ],
  },
  {
    name: 'fresh addresses cannot be had',
    repeats: SLOTS,
    rules: (device) => [
      rule(device, 'part', error(403, 'AccessDenied'), SLOTS),
      rule(device, 'sign', error(503, 'Unavailable'), 2),
      rule(device, 'sign', { kind: 'lost-answer' }, 1),
    ],
  },
  onCall('the answer to the creation is lost', 'create', { kind: 'lost-answer' }, 1),
  onCall('completing is slow', 'complete', { kind: 'slow-answer', delayMs: 3_000 }, 1),
  onCall('completing fails', 'complete', error(500, 'InternalError'), 2),
  onCall('the answer to the completion is lost', 'complete', { kind: 'lost-answer' }, 1),
  onCall('completing is answered twice', 'complete', { kind: 'twice' }, 1),
  onCall('creating is answered twice', 'create', { kind: 'twice' }, 1),
]

/** Nothing is ever answered: only the client's own limits end these. */
export const BLACK_HOLES: readonly FaultCase[] = [
  onParts('a black hole before the body', { kind: 'black-hole', when: 'before-body' }, SLOTS),
  onParts('a black hole after the body', { kind: 'black-hole', when: 'after-body' }, SLOTS),
]

/** The faults of a bad day, each met by some attempts; the same for the same seed. */
export function mixedCase(seed: number, random: () => number): FaultCase {
  const faults: Fault[] = Array.from({ length: 10 }, () =>
    pickOne<() => Fault>(random, [
      () => ({ kind: 'latency', delayMs: pickNumber(random, 10, 500) }),
      () => ({ kind: 'reset', afterBytes: pickNumber(random, 0, 5 * MIB) }),
      () => ({ kind: 'lost-answer' }),
      () => ({ kind: 'early-answer', status: pickOne(random, [429, 500, 503]) }),
      () => error(pickOne(random, [408, 500, 502, 503, 504]), 'InternalError'),
      () => error(400, 'RequestTimeout'),
      () => error(429, 'SlowDown', 1),
      () => ({ kind: 'etag', how: pickOne(random, ['missing', 'weak', 'wrong'] as const) }),
      () => ({ kind: 'short', missingBytes: pickNumber(random, 1, MIB) }),
      () => ({ kind: 'bit-flip', atByte: pickNumber(random, 0, 5 * MIB) }),
      () => ({ kind: 'portal' }),
      () => ({ kind: 'error-in-success' }),
    ])(),
  )
  const calls: Fault[] = [{ kind: 'lost-answer' }, error(503, 'Unavailable'), { kind: 'portal' }]
  return {
    name: `a bad day, seed ${seed}`,
    repeats: faults.length,
    rules: (device) => [
      ...faults.map((fault) => rule(device, 'part', fault, 1, () => random() < 0.6)),
      ...(['create', 'sign', 'complete'] as const).map((kind) =>
        rule(device, kind, pickOne(random, calls), 1),
      ),
    ],
  }
}

function rule(
  device: string,
  kind: RequestKind,
  fault: Fault,
  times: number,
  chance: () => boolean = () => true,
): FaultRule {
  return {
    fault,
    times,
    match: (request: RequestFacts) =>
      request.device === device &&
      (kind === 'part' ? carriesBytes(request.kind) : request.kind === kind) &&
      chance(),
  }
}
