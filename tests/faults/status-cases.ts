import type { AnswerLook, FaultRule, RequestKind } from './faults.ts'

/** Some statuses that one upload meets on each of its calls. */
export interface StatusCase {
  readonly name: string
  readonly look: AnswerLook
  readonly statuses: readonly number[]
  /** How often each comes in a row. */
  readonly times: number
}

/** Failures in a row of one call: with more, back-offs grow to a minute. */
const FAILURES_OF_A_CALL = 6

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

/** Every one of these statuses in one look, `times` in a row. */
export function statusCases(
  all: readonly number[],
  look: AnswerLook,
  times: number,
): readonly StatusCase[] {
  const size = FAILURES_OF_A_CALL / times
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
    const statuses = all.slice(at * size, (at + 1) * size)
    return { name: `${look} ${times} x ${statuses.join(' ')}`, look, statuses, times }
  })
}

/** Parts of the file of a case: one for each status, one that is cut off, one that hangs. */
export function partsOf({ statuses }: StatusCase): number {
  return statuses.length + 2
}

/**
 * On each call the statuses come one after the other; of the parts, each status meets one. A part
 * is cut off, so that its rest is appended, and one hangs until the app is opened again.
 */
export function rulesOf(given: StatusCase, device: string, partBytes: number): FaultRule[] {
  const { look, statuses, times } = given
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
  const answer = (status: number): FaultRule['fault'] => ({
    kind: 'answer',
    status,
    look,
    code: OWN_CODES[status] ?? (status < 500 ? 'request/refused' : 'server/unavailable'),
  })
  return [
    rule('part', cut, { kind: 'reset', afterBytes: partBytes / 2 }, 1),
    rule('part', cut + 1, { kind: 'black-hole', when: 'before-body' }, 1),
    ...statuses.map((status, at) => rule('part', at + 1, answer(status), times)),
    ...CALLS.flatMap((kind) => statuses.map((status) => rule(kind, null, answer(status), times))),
  ]
}

/** What the server itself says with a status. */
const OWN_CODES: Readonly<Record<number, string>> = {
  400: 'request/invalid',
  401: 'auth/signed-out',
  403: 'auth/forbidden',
  404: 'uploads/not-found',
  409: 'uploads/not-open',
  410: 'uploads/aborted',
  413: 'uploads/too-large',
  429: 'request/too-many',
  507: 'uploads/no-space',
}
