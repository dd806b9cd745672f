import { setTimeout as delay } from 'node:timers/promises'
import type { ClientRun } from './client-run.ts'
import type { FaultProxy } from './fault-proxy.ts'
import type { AnswerLook, Fault, FaultRule, RequestKind } from './faults.ts'
import { pickNumber, pickOne } from './random.ts'

const KINDS: readonly RequestKind[] = [
  'create',
  'sign',
  'urls',
  'part',
  'offset',
  'append',
  'complete',
  'ping',
]
const FOREIGN: readonly AnswerLook[] = ['json', 'html', 'empty']

/** About thirty faults of every sort, strewn over all calls of one upload. */
export function mixedRules(device: string, partBytes: number, random: () => number): FaultRule[] {
  const gateway = (): Fault => ({
    kind: 'answer',
    status: pickNumber(random, 400, 511),
    code: '',
    look: pickOne(random, FOREIGN),
  })
  const onParts: readonly (() => Fault)[] = [
    () => ({ kind: 'latency', delayMs: pickNumber(random, 1, 100) }),
    () => ({ kind: 'reset', afterBytes: pickNumber(random, 0, partBytes) }),
    () => ({ kind: 'lost-answer' }),
    () => ({ kind: 'early-answer', status: pickOne(random, [429, 500, 503]) }),
    () => ({ kind: 'etag', how: pickOne(random, ['missing', 'weak', 'wrong'] as const) }),
    () => ({ kind: 'short', missingBytes: pickNumber(random, 1, partBytes / 2) }),
    () => ({ kind: 'bit-flip', atByte: pickNumber(random, 0, partBytes) }),
    () => ({ kind: 'twice' }),
    () => ({ kind: 'black-hole', when: 'before-body' }),
    () => ({ kind: 'error-in-success' }),
  ]
  const onAll: readonly (() => Fault)[] = [
    gateway,
    gateway,
    () => ({ kind: 'portal' }),
    () => ({ kind: 'lost-answer' }),
  ]
  return Array.from({ length: 30 }, (_, at) => {
    const kind = KINDS[at % KINDS.length] ?? 'part'
    const carries = kind === 'part' || kind === 'append'
    const make = pickOne(random, carries ? [...onParts, ...onAll] : onAll)
    return {
      fault: make(),
      times: pickNumber(random, 1, 2),
      match: (request) => request.device === device && request.kind === kind && random() < 0.7,
    }
  })
}

/** What happens to a device in the course of a bad day. */
export function mixedTurns(
  proxy: FaultProxy,
  device: string,
  random: () => number,
): readonly ((run: ClientRun) => Promise<void>)[] {
  const turns: readonly ((run: ClientRun) => Promise<void>)[] = [
    (run) => run.killAndReopen(),
    async (run) => {
      await run.leave()
      await run.reopen()
    },
    async (run) => {
      await run.tab().commands.pause(run.uploadId)
      await delay(pickNumber(random, 0, 100))
      await run.tab().commands.resume(run.uploadId)
    },
    () => proxy.breakFor(device, pickNumber(random, 0, 250)),
    async () => void (await proxy.cutUntil(device, delay(pickNumber(random, 0, 500)), 'dead')),
    async () =>
      void (await proxy.cutUntil(device, delay(pickNumber(random, 0, 500)), 'outlived', 'parts')),
  ]
  return Array.from({ length: 6 }, () => {
    const turn = pickOne(random, turns)
    const waitMs = pickNumber(random, 0, 300)
    return async (run) => {
      await delay(waitMs)
      await turn(run)
    }
  })
}
