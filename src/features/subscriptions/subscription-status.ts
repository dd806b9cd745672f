import { longDateWords } from '#src/lib/time-words.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import type { BadgeTone } from '#src/ui/Badge.tsx'

export type SubscriptionStatus = 'lifetime' | 'expired' | 'canceling' | 'payment-problem' | 'active'

type StatusFacts = Pick<WalletSubscription, 'status' | 'expiresAt' | 'cancelAtPeriodEnd'>

interface StatusRow {
  readonly status: SubscriptionStatus
  readonly holds: (facts: StatusFacts, nowEpochMs: number) => boolean
}

/** The first row that holds counts; the last one always holds. */
const ROWS: readonly [...StatusRow[], StatusRow] = [
  { status: 'lifetime', holds: ({ expiresAt }) => expiresAt === null },
  {
    status: 'expired',
    // The server's word too, because the clock of this device may be slow.
    holds: ({ status, expiresAt }, nowEpochMs) =>
      status === 'expired' || Date.parse(expiresAt ?? '') <= nowEpochMs,
  },
  { status: 'canceling', holds: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd },
  { status: 'payment-problem', holds: ({ status }) => status === 'payment-problem' },
  { status: 'active', holds: () => true },
]

/** How a subscription stands at a time: exactly one status for any facts. */
export function subscriptionStatus(facts: StatusFacts, nowEpochMs: number): SubscriptionStatus {
  return (ROWS.find(({ holds }) => holds(facts, nowEpochMs)) ?? ROWS[ROWS.length - 1]!).status
}

interface StatusMeaning {
  readonly label: string
  readonly tone: BadgeTone
  /** What the date of `expiresAt` is. */
  readonly dateLabel: string
  readonly change: 'cancel' | 'resume' | null
}

/** What each status means on screen. Cancelling is offered only where something can be renewed. */
export const STATUS_MEANING: Readonly<Record<SubscriptionStatus, StatusMeaning>> = {
  lifetime: { label: 'Lifetime', tone: 'good', dateLabel: 'Expires', change: null },
  expired: { label: 'Expired', tone: 'neutral', dateLabel: 'Expired on', change: null },
  canceling: {
    label: 'Cancels at period end',
    tone: 'warning',
    dateLabel: 'Ends on',
    change: 'resume',
  },
  'payment-problem': {
    label: 'Payment problem',
    tone: 'bad',
    dateLabel: 'Period ends on',
    change: 'cancel',
  },
  active: { label: 'Active', tone: 'good', dateLabel: 'Renews on', change: 'cancel' },
}

/** 'November 21, 2026', 'Never' for a subscription without an end. */
export function periodEndWords({ expiresAt }: Pick<WalletSubscription, 'expiresAt'>): string {
  return expiresAt === null ? 'Never' : longDateWords(Date.parse(expiresAt))
}

/** 'brand-ambassador' as 'Brand Ambassador'. */
export function planName(planSlug: string): string {
  return planSlug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
