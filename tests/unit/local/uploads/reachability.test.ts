import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LIMITS,
  MOVING,
  mayBegin,
  stepReach,
  type Reach,
  type ReachEffect,
  type ReachEvent,
} from '#src/local/uploads/network/reachability.ts'

const look = (quietMs: number, gapMs: number | null = 100): ReachEvent => ({
  kind: 'look',
  quietMs,
  gapMs,
  reportsProgress: true,
})

/** Looks at a silence that began at 0; `answers` says what a check sees. */
function runSilence(
  untilMs: number,
  answers: (nowMs: number) => boolean,
  gapMs: number | null = 100,
): { readonly state: Reach; readonly effects: readonly (readonly [number, string])[] } {
  let state = MOVING
  const effects: [number, string][] = []
  const step = (event: ReachEvent, nowMs: number): ReachEffect | null => {
    const next = stepReach(state, event, nowMs)
    state = next.state
    if (next.effect !== null && next.effect.kind !== 'check')
      effects.push([nowMs, next.effect.kind])
    return next.effect
  }
  for (let nowMs = 0; nowMs <= untilMs; nowMs += LIMITS.lookEveryMs)
    if (step(look(nowMs, gapMs), nowMs)?.kind === 'check')
      step({ kind: 'checked', doesAnswer: answers(nowMs), isStill: true }, nowMs + 20)
  return { state, effects }
}

const anyEvent: fc.Arbitrary<ReachEvent> = fc.oneof(
  fc.constant<ReachEvent>({ kind: 'moved' }),
  fc.constant<ReachEvent>({ kind: 'trial-failed' }),
  fc
    .tuple(fc.boolean(), fc.boolean())
    .map(([doesAnswer, isStill]): ReachEvent => ({ kind: 'checked', doesAnswer, isStill })),
  fc
    .tuple(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(null, 100, 5_000, 60_000))
    .map(([quietMs, gapMs]) => look(quietMs, gapMs)),
)

describe('the reachability of a silent upload', () => {
  it('gives up a silence that the server does not answer within six seconds', () => {
    const { state, effects } = runSilence(6_000, () => false)
    expect(state.kind).toBe('down')
    expect(effects.map(([, kind]) => kind)).toEqual(['give-up'])
  })

  it('leaves a network of long gaps alone for as long as it is usual', () => {
    expect(runSilence(9_000, () => true, 2_500).state).toEqual(MOVING)
  })

  it('tries the part that is silent longest again when the server answers, then one after another', () => {
    const { state, effects } = runSilence(4_000, () => true)
    expect(state.kind).toBe('stalled')
    expect(effects).toEqual([[3_000, 'drop-longest']])
    const failed = stepReach(state, { kind: 'trial-failed' }, 4_000).state
    expect(stepReach(failed, look(4_500), 4_500).effect).toBeNull()
    expect(stepReach(failed, look(5_000), 5_000).effect).toEqual({ kind: 'begin-one' })
  })

  it('tries again every three seconds for a minute while no trial is answered, then rarely', () => {
    const { effects } = runSilence(200_000, () => true)
    const begun = effects.filter(([, kind]) => kind !== 'drop-trial').map(([atMs]) => atMs)
    const gaps = begun.slice(1).map((atMs, index) => atMs - (begun[index] ?? 0))
    expect(new Set(gaps.slice(0, LIMITS.trialOftenCount - 1))).toEqual(new Set([3_000]))
    expect(gaps.at(-1)).toBe(25_000)
    expect(effects.slice(0, 3)).toEqual([
      [3_000, 'drop-longest'],
      [5_000, 'drop-trial'],
      [6_000, 'begin-one'],
    ])
  })

  it('is not stalled before the server said that nothing more has arrived', () => {
    const asking = runSilence(1_600, () => true).state
    const growing = { kind: 'checked', doesAnswer: true, isStill: false } as const
    const { state } = stepReach(asking, growing, 1_600)
    expect(stepReach(state, look(60_000), 60_000).effect).toEqual({ kind: 'check' })
  })

  it('lets the other silent parts follow when the trial is answered', () => {
    const { state } = runSilence(4_000, () => true)
    expect(stepReach(state, { kind: 'moved' }, 4_100)).toEqual({
      state: MOVING,
      effect: { kind: 'drop-silent', sinceMs: 3_000 },
    })
  })

  it('resumes with the first answer of a server that was down', () => {
    const { state } = runSilence(8_000, () => false)
    expect(stepReach(state, { kind: 'checked', doesAnswer: true, isStill: true }, 9_000)).toEqual({
      state: MOVING,
      effect: { kind: 'resume' },
    })
  })

  it('asks again within six seconds whatever happened, also after the clock was set back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyEvent, fc.integer({ min: -3_600_000, max: 60_000 })), {
          maxLength: 60,
        }),
        (history) => {
          let state = MOVING
          let nowMs = 10_000_000
          for (const [event, afterMs] of history) {
            nowMs += afterMs
            state = stepReach(state, event, nowMs).state
          }
          if (state.kind === 'moving') return true
          // A silence that goes on is asked about, or tried again, before a minute is over.
          for (let waitedMs = 0; waitedMs <= 61_000; waitedMs += LIMITS.lookEveryMs) {
            const next = stepReach(state, look(100_000, null), nowMs + waitedMs)
            if (next.effect !== null) return true
            state = next.state
          }
          return false
        },
      ),
    )
  })

  it('begins parts freely exactly while it is not stalled and not down', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (history) => {
        const state = history.reduce<Reach>(
          (before, event, index) => stepReach(before, event, index * 300).state,
          MOVING,
        )
        return mayBegin(state) === (state.kind === 'moving' || state.kind === 'asking')
      }),
    )
  })
})
