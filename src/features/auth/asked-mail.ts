import * as v from 'valibot'
import type { Purpose } from './auth-calls.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

/** Session storage, so that it is this tab's, outlives a reload, and goes with the tab. */
const KEY = 'onecut-asked-mail'
/** Link and code of a mail work for this long (docs/sign-in.md). */
const WORKS_FOR_MS = 10 * MINUTE_MS

const askedMail = v.object({
  purpose: v.picklist(['signup', 'login']),
  email: v.string(),
  askedAtEpochMs: v.number(),
})

/** A mail that this tab asked for, and whose code may still be typed. */
export type AskedMail = v.InferOutput<typeof askedMail>

/**
 * Keeps that a mail was asked for: phones reload a tab after the visit to the mail app, and the
 * code works only in this browser.
 */
export function keepAskedMail(storage: Storage, asked: AskedMail): void {
  storage.setItem(KEY, JSON.stringify(asked))
}

/** The mail that was asked for here; null when there is none, or its code works no more. */
export function readAskedMail(
  storage: Storage,
  purpose: Purpose,
  nowEpochMs: number,
): AskedMail | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), askedMail), storage.getItem(KEY))
  if (!parsed.success || parsed.output.purpose !== purpose) return null
  const age = nowEpochMs - parsed.output.askedAtEpochMs
  return age >= 0 && age < WORKS_FOR_MS ? parsed.output : null
}

/** Forgets it: another address is wanted, or the person is signed in. */
export function forgetAskedMail(storage: Storage): void {
  storage.removeItem(KEY)
}
