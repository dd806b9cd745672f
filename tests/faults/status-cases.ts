import type { AnswerLook, FaultRule, RequestKind } from './faults.ts'

/** Some statuses that one upload meets on each of its calls. */
export interface StatusCase {
  readonly name: string
  readonly looks: readonly AnswerLook[]
  readonly statuses: readonly number[]
  /** How often each comes in a row. */
  readonly times: number
}

/** Failures in a row of one call: back-offs grow with them, and with these the time of a run. */
export const FAILURES_OF_A_CALL = 3

/** The calls of an upload beside the first request for each part. */
const CALLS: readonly RequestKind[] = [
  'create',
  'sign',
  'urls',
  'offset',
  'append',
  'complete',
  'ping',
]

/**
 * Every one of these statuses, `times` in a row. With several looks, neighbouring calls and
 * statuses have different ones.
 */
export function statusCases(
  all: readonly number[],
  looks: readonly AnswerLook[],
  times: number,
): readonly StatusCase[] {
  const size = FAILURES_OF_A_CALL / times
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
    const statuses = all.slice(at * size, (at + 1) * size)
    return { name: `${looks.join(' ')} ${times} x ${statuses.join(' ')}`, looks, statuses, times }
  })
}

/** Parts of the file of a case: one for each status, one that is cut off, one that hangs. */
export function partsOf({ statuses }: Pick<StatusCase, 'statuses'>): number {
  return statuses.length + 2
}

/**
 * On each call the statuses come one after the other; of the parts, each status meets one. A part
 * is cut off, so that its rest is appended, and one hangs until the app is opened again.
 */
export function rulesOf(given: StatusCase, device: string, partBytes: number): FaultRule[] {
  const { looks, statuses, times } = given
  const cut = statuses.length + 1
  const rule = (
    kind: RequestKind,
    partNumber: number | null,
    fault: FaultRule['fault'],
    count: number,
  ): FaultRule => ({
    fault,
    times: count,
    match: (request) =>
      request.device === device &&
      request.kind === kind &&
      (partNumber === null || request.partNumber === partNumber),
  })
  const answer = (status: number, call: number): FaultRule['fault'] => ({
    kind: 'answer',
    status,
    look: looks[(status + call) % looks.length] ?? 'html',
    code: OWN_CODES[status] ?? (status < 500 ? 'request/invalid' : 'server/unavailable'),
  })
  return [
    rule('part', cut, { kind: 'reset', afterBytes: partBytes / 2 }, 1),
    rule('part', cut + 1, { kind: 'black-hole', when: 'before-body' }, 1),
    ...statuses.map((status, at) => rule('part', at + 1, answer(status, CALLS.length), times)),
    ...CALLS.flatMap((kind, call) =>
      statuses.map((status) => rule(kind, null, answer(status, call), times)),
    ),
  ]
}

/** What the server itself says with a status. */
const OWN_CODES: Readonly<Record<number, string>> = {
  400: 'request/invalid',
  401: 'auth/signed-out',
  403: 'auth/permission-missing',
  404: 'uploads/not-found',
  409: 'uploads/not-open',
  410: 'uploads/aborted',
  413: 'uploads/too-large',
  429: 'request/too-many',
  507: 'uploads/no-space',
}
