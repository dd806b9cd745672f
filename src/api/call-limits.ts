import type { paths } from '#openapi/schema.gen.ts'
import { createSettable, type Subscribable } from '#src/lib/subscribable.ts'
import type { Clock } from '#src/lib/time.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A call as the contract names it: `POST /v1/reports`. */
export type CallName = {
  [Path in keyof paths]: {
    [Name in keyof paths[Path] & Method]-?: [paths[Path][Name]] extends [undefined]
      ? never
      : `${Uppercase<Name>} ${Path}`
  }[keyof paths[Path] & Method]
}[keyof paths]

/** Until when the server refuses a call that came too often. */
export interface RefusedUntil {
  readonly untilEpochMs: number
  readonly nowEpochMs: number
}

/**
 * Until when the server refuses which calls because they came too often, by their name. Kept for
 * the page and not for a screen: a dialog that is closed and opened again finds the same limit.
 */
export interface CallLimits extends Subscribable<ReadonlyMap<string, number>> {
  /** Until when the server refuses a call; null while it takes it. */
  readonly refusal: (call: string) => RefusedUntil | null
  /** The server has refused a call for a time. */
  readonly note: (call: string, refusedForMs: number) => void
  /** What is sent next may not be what was refused: another address, another account. */
  readonly forget: (call: CallName) => void
  readonly forgetAll: () => void
}

/** No limits yet. */
export function createCallLimits(clock: Pick<Clock, 'now'>): CallLimits {
  const limits = createSettable<ReadonlyMap<string, number>>(new Map())
  return {
    current: limits.current,
    subscribe: limits.subscribe,
    refusal: (call) => {
      const untilEpochMs = limits.current().get(call) ?? 0
      const nowEpochMs = clock.now()
      return untilEpochMs > nowEpochMs ? { untilEpochMs, nowEpochMs } : null
    },
    note: (call, refusedForMs) =>
      limits.become(new Map(limits.current()).set(call, clock.now() + refusedForMs)),
    forget: (call) => {
      if (!limits.current().has(call)) return
      limits.become(new Map([...limits.current()].filter(([name]) => name !== call)))
    },
    forgetAll: () => {
      if (limits.current().size > 0) limits.become(new Map())
    },
  }
}
