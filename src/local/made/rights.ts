import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { FREE_TRIAL_EDITS } from '#spec/numbers.ts'
import { DAY_MS } from '#src/lib/time.ts'

/**
 * [Note: device edits and money] What a device makes is part of the plan and of the trial; tokens
 * pay for the work of the server (docs/product-decisions.md#made-on-the-device). The rule is read
 * from the rows of this device, so that it holds offline. A person who changes the rows
 * makes more: nothing secures a rule that runs on the device of the creator.
 */
export type MakeRight =
  | 'granted'
  /** The plan had to renew since the server was asked last. */
  | 'go-online'
  /** The edits of the trial are made. */
  | 'trial-used'
  /** Neither a plan nor a trial. */
  | 'no-plan'

/** What the rule needs to know. */
export interface KnownOfPlan {
  readonly flags: FactValues['me']['flags']
  /** When the server was asked; this device's clock. */
  readonly askedAtEpochMs: number
  /** Until when the plan was paid, as the server said last; null where that was never asked. */
  readonly paidUntilEpochMs: number | null
  /** Device edits that were finished, but for the one that is made again. */
  readonly madeCount: number
}

/** How long a plan that had to renew counts on without a word of the server. */
const WITHOUT_CONTACT_MS = 7 * DAY_MS

/**
 * Whether this device may make an edit now. A plan that the server called active counts as that
 * until it was paid, and a week on: a clock that goes ahead ends nothing before.
 */
export function makeRight(known: KnownOfPlan, nowEpochMs: number): MakeRight {
  const { flags, askedAtEpochMs, paidUntilEpochMs, madeCount } = known
  if (flags.hasActiveSubscription) {
    const sureEpochMs = Math.max(paidUntilEpochMs ?? -Infinity, askedAtEpochMs)
    return nowEpochMs <= sureEpochMs + WITHOUT_CONTACT_MS ? 'granted' : 'go-online'
  }
  if (!flags.isInTrial || nowEpochMs >= Date.parse(flags.trialEndsAt)) return 'no-plan'
  return madeCount < FREE_TRIAL_EDITS ? 'granted' : 'trial-used'
}

/**
 * The same by the rows of this device; null where it does not know the person yet. Local read.
 * @param againId the device edit that is made again; null for a new one
 */
export async function readMakeRight(
  db: AccountDb,
  nowEpochMs: number,
  againId: string | null = null,
): Promise<MakeRight | null> {
  const [me, capabilities, subscriptions, finished] = await Promise.all([
    readFact(db, FACTS.me),
    readFact(db, FACTS.capabilities),
    db.walletSubscriptions.toArray(),
    readFact(db, FACTS.deviceEdits),
  ])
  if (capabilities?.value.payments.isEnabled === false) return 'granted'
  if (me === null) return null
  const paidUntil = subscriptions.flatMap(({ value }) =>
    value.usableUntil === null ? [] : [Date.parse(value.usableUntil)],
  )
  return makeRight(
    {
      flags: me.value.flags,
      askedAtEpochMs: me.pulledAtEpochMs,
      paidUntilEpochMs: paidUntil.length === 0 ? null : Math.max(...paidUntil),
      madeCount: (finished?.value ?? []).filter((id) => id !== againId).length,
    },
    nowEpochMs,
  )
}
