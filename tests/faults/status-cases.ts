import type { AnswerLook, FaultRule, RequestKind } from './faults.ts'

/** The statuses that one upload meets on each of its calls. */
export interface StatusCase {
  readonly name: string
  readonly looks: readonly AnswerLook[]
  readonly onCall: (call: RequestKind) => readonly number[]
  /** How often each comes in a row. */
  readonly times: number
}

/** Failures in a row of one call: back-offs grow with them, and with these the time of a run. */
const FAILURES_OF_A_CALL = 4
export const MOST_PARTS = FAILURES_OF_A_CALL + 2

const CALLS: readonly RequestKind[] = [
  'part',
  'create',
  'sign',
  'urls',
  'offset',
  'append',
  'complete',
  'ping',
]

/** Every one of these statuses on every call. */
export function allOnAll(
  all: readonly number[],
  looks: readonly AnswerLook[],
  times: number,
): readonly StatusCase[] {
  return chunks(all, Math.max(1, Math.floor(FAILURES_OF_A_CALL / times))).map((statuses) => ({
    name: nameOf(looks, times, statuses),
    looks,
    times,
    onCall: () => statuses,
  }))
}

/** Every one of these statuses on one call: an upload meets a status on each. */
export function eachOnOne(
  all: readonly number[],
  looks: readonly AnswerLook[],
  times: number,
): readonly StatusCase[] {
  return chunks(all, CALLS.length).map((statuses, turn) => ({
    name: nameOf(looks, times, statuses),
    looks,
    times,
    onCall: (call) => {
      const status = statuses[(CALLS.indexOf(call) + turn) % CALLS.length]
      return status === undefined ? [] : [status]
    },
  }))
}

function nameOf(looks: readonly AnswerLook[], times: number, statuses: readonly number[]): string {
  return `${looks.join(' ')} ${times} x ${statuses.join(' ')}`
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}

/** Parts of an upload that are stored before its tab is killed; one more is cut, one hangs. */
function partsBefore(given: StatusCase): number {
  return Math.max(1, given.onCall('part').length)
}

/**
 * On each call its statuses come one after the other; of the parts, each status meets one. A part
 * is cut off, so that its rest is appended, and one hangs until the app is opened again. Of several
 * looks, neighbouring calls and statuses have different ones.
 */
export function rulesOf(given: StatusCase, device: string, partBytes: number): FaultRule[] {
  const { looks, onCall, times } = given
  const cut = partsBefore(given) + 1
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
    ...CALLS.flatMap((kind, call) =>
      onCall(kind).map((status, at) =>
        rule(kind, kind === 'part' ? at + 1 : null, answer(status, call), times),
      ),
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
