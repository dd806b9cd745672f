import { useAtomValue, useStore } from 'jotai'
import { useEffect, useMemo } from 'react'
import { getChallenge } from './auth-calls.ts'
import { createHumanCheck } from './human-check.ts'
import type { HumanCheck, HumanState, SolvedCheck } from './human-check.ts'
import { solveChallenge } from './solve-challenge.ts'
import type { ApiClient } from '#src/api/client.ts'

export interface BoundHumanCheck {
  readonly check: HumanCheck
  readonly state: HumanState
}

/**
 * The human verification of one form.
 * @param isAutomatic true for the built-in proof of work, false for a widget that a person uses
 */
export function useHumanCheck(api: ApiClient, isAutomatic: boolean): BoundHumanCheck {
  // Which verification it is may be known only after the form is there; then another state machine
  // takes over.
  const store = useStore()
  const check = useMemo(
    () =>
      createHumanCheck({
        store,
        work: isAutomatic ? (signal) => prove(api, signal) : null,
        now: () => Date.now(),
        after: (delayMs, run) => {
          const timer = setTimeout(run, delayMs)
          return () => clearTimeout(timer)
        },
      }),
    [api, isAutomatic, store],
  )
  useEffect(() => () => check.reset(), [check])
  const state = useAtomValue(check.state)
  return { check, state }
}

async function prove(api: ApiClient, signal: AbortSignal): Promise<SolvedCheck | null> {
  const challenge = await getChallenge(api, signal)
  if (!challenge.ok) return null
  const solved = await solveChallenge(challenge.value, signal)
  if (!solved.ok) return null
  const { expiresAt } = challenge.value.parameters
  return {
    token: solved.value,
    expiresAtEpochMs: expiresAt === undefined ? null : expiresAt * 1000,
  }
}
