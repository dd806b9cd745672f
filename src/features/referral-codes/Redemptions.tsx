import { Users } from 'lucide-react'
import { useId } from 'react'
import { redemptionStatus, rewardWords, type RedemptionStatus } from './redemption-status.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { ReferralRedemption } from '#src/local/nouns/referral-redemptions.ts'
import { REDEMPTION_USER_ID_CHARACTERS } from '#spec/numbers.ts'
import { Badge, type BadgeTone } from '#src/ui/Badge.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

const TONES: Readonly<Record<RedemptionStatus, BadgeTone>> = {
  Pending: 'neutral',
  Qualified: 'accent',
  Rewarded: 'good',
  Reversed: 'warning',
  'No reward': 'neutral',
}

/** Who redeemed the person's codes, and how far each is. */
export function Redemptions({
  redemptions,
}: {
  readonly redemptions: Shown<readonly ReferralRedemption[]>
}) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-4 text-2xl font-bold">
        Code Redemptions
      </h2>
      <PullFailure pull={redemptions} title="Unable to fetch code redemptions" className="mb-4" />
      <RedemptionTable redemptions={redemptions} headingId={headingId} />
    </section>
  )
}

function RedemptionTable({
  redemptions: { data, status },
  headingId,
}: {
  readonly redemptions: Shown<readonly ReferralRedemption[]>
  readonly headingId: string
}) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading code redemptions">
        <Skeleton className="h-36" />
      </div>
    )
  if (data.length === 0)
    return (
      <EmptyState icon={<Users />} title="No Redemptions Yet">
        Here you see who signed up with your codes, and when your reward has come.
      </EmptyState>
    )
  return (
    // On a phone the table scrolls by itself, also by keyboard.
    <div
      role="region"
      aria-labelledby={headingId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-surface shadow-1"
    >
      <table className="w-full text-left">
        <thead className="border-b border-line text-sm text-ink-muted">
          <tr>
            {['Code', 'User', 'Claimed Date', 'Status', 'Reward'].map((column) => (
              <th key={column} scope="col" className="px-4 py-3 font-semibold whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((redemption) => (
            <RedemptionRow key={redemption._id} redemption={redemption} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RedemptionRow({ redemption }: { readonly redemption: ReferralRedemption }) {
  const status = redemptionStatus(redemption)
  return (
    <tr className="border-b border-line last:border-0">
      <td className={cell}>{redemption.code}</td>
      <td className={cell}>
        {`${redemption.refereeUserId.slice(0, REDEMPTION_USER_ID_CHARACTERS)}…`}
      </td>
      <td className={cell}>{dateWords(Date.parse(redemption.claimedAt))}</td>
      <td className={cell}>
        <Badge tone={TONES[status]}>{status}</Badge>
      </td>
      <td className={cell}>{rewardWords(redemption)}</td>
    </tr>
  )
}

const cell = 'px-4 py-3 whitespace-nowrap'
