import { solveChallenge as solve } from 'altcha-lib'
import type { DeriveKeyFunction } from 'altcha-lib/types'
import { err, ok } from '#src/lib/result.ts'
import type { Result } from '#src/lib/result.ts'
import type { HumanChallenge } from './auth-calls.ts'

export type SolveFailure = { readonly code: 'human/unknown-algorithm' | 'human/no-solution' }

/**
 * Does the work of a challenge and gives the `captchaToken`: base64 of `{challenge, solution}`. The
 * hashing runs in the browser's crypto threads and gives way every 200 ms, so the page stays alive.
 * Needs a secure context (https or localhost). `human/no-solution` when it was aborted or took
 * longer than 90 s.
 */
export async function solveChallenge(
  challenge: HumanChallenge,
  signal: AbortSignal,
): Promise<Result<string, SolveFailure>> {
  const deriveKey = await findAlgorithm(challenge.parameters.algorithm)
  if (deriveKey === null) return err({ code: 'human/unknown-algorithm' })
  const controller = new AbortController()
  if (signal.aborted) controller.abort()
  signal.addEventListener('abort', () => controller.abort(), { once: true })
  const solution = await solve({ challenge, controller, deriveKey })
  if (solution === null) return err({ code: 'human/no-solution' })
  return ok(btoa(JSON.stringify({ challenge, solution })))
}

async function findAlgorithm(name: string): Promise<DeriveKeyFunction | null> {
  if (name.startsWith('PBKDF2/'))
    return (await import('altcha-lib/algorithms/web/pbkdf2')).deriveKey
  if (name.startsWith('SHA-')) return (await import('altcha-lib/algorithms/web/sha')).deriveKey
  return null
}
