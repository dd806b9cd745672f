import { TriangleAlert } from 'lucide-react'
import { MissingEnds, useMissingEnds } from '#src/components/assets/MissingEnds.tsx'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import type { ReactNode } from 'react'
import type { PriceTotal } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { Finding } from '#src/local/probe/report.ts'
import { ActionBar } from '#src/ui/ActionBar.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
import type { UnfitEdit } from './unmet-needs.ts'

export interface SummaryBarProps {
  /** The words of the button. */
  readonly submitText: 'Submit for Editing' | 'Send for Editing'
  readonly requests: readonly TaskRequest[]
  readonly total: PriceTotal
  /** What the person can spend; null while unknown. */
  readonly spendableCoinAmount: number | null
  readonly isBusy: boolean
  /** The video could not be used: no edit of it can be ordered. */
  readonly isRefused: boolean
  /** What the chosen formats need and this video does not have. */
  readonly unmet: readonly Finding[]
  /** The chosen edits whose options do not fit this video. */
  readonly unfit: readonly UnfitEdit[]
  /** What is to be done before it can be submitted, in words; takes the place of the balance. */
  readonly obstacle?: string | null
  /** The box of the first order of a video; null once it is attested. */
  readonly attestation: ReactNode
  /** What else can be done with the choice. */
  readonly aside?: ReactNode
  readonly onSubmit: () => void
}

/**
 * What the choice costs and what remains, always visible, with the button that submits it. On
 * phones the box and `aside` stand above the bar: in it, they would cover a third of the formats.
 */
export function SummaryBar({ attestation, aside = null, ...bar }: SummaryBarProps) {
  const isNarrow = useIsNarrow()
  const box = bar.requests.length === 0 ? null : attestation
  if (!isNarrow) return <StickyBar {...bar} box={box} aside={aside} />
  return (
    <>
      <div className="mt-8 empty:hidden">
        {box}
        {aside}
      </div>
      <StickyBar {...bar} box={null} aside={null} />
    </>
  )
}

interface StickyBarProps extends Omit<SummaryBarProps, 'attestation'> {
  readonly box: ReactNode
}

function StickyBar({
  submitText,
  requests,
  total,
  spendableCoinAmount,
  isBusy,
  isRefused,
  unmet,
  unfit,
  obstacle = null,
  box,
  aside,
  onSubmit,
}: StickyBarProps) {
  const count = requests.length
  const missing = useMissingEnds(requests)
  const isUnfit = isRefused || unmet.some(({ verdict }) => verdict === 'block')
  const isBlocked = isUnfit || unfit.length > 0 || obstacle !== null || missing.length > 0
  return (
    <ActionBar
      // On a phone it would cover the first format and say nothing yet.
      isStillOnPhones={count === 0}
      words={
        <>
          <PriceWords
            count={count}
            total={total}
            spendable={spendableCoinAmount}
            obstacle={obstacle}
          />
          {aside}
        </>
      }
      action={
        <Button
          size="large"
          onPress={onSubmit}
          isDisabled={count === 0 || isBlocked}
          isBusy={isBusy}
          describedBy="summary-balance"
        >
          {submitText}
        </Button>
      }
    >
      {isRefused ? <Refused /> : <UnmetNeeds findings={unmet} unfit={unfit} />}
      <MissingEnds ends={missing} className="mb-3" />
      {box === null ? null : <div className="mb-2">{box}</div>}
    </ActionBar>
  )
}

function Refused() {
  return (
    <Notice kind="error" className="mb-3">
      This video could not be used, so it cannot be edited.
    </Notice>
  )
}

interface PriceWordsProps {
  /** Of edits. */
  readonly count: number
  readonly total: PriceTotal
  readonly spendable: SummaryBarProps['spendableCoinAmount']
  readonly obstacle: string | null
}

function PriceWords({ count, total, spendable, obstacle }: PriceWordsProps) {
  const instead = count === 0 ? 'Choose at least one edit to continue.' : obstacle
  return (
    <p role="status" className="leading-snug">
      <span className="block font-semibold tabular-nums max-sm:text-[0.9375rem]">{`${count} ${count === 1 ? 'edit' : 'edits'} · ${total.isComplete ? '' : 'from '}${tokens(total.coinAmount)}`}</span>
      <span id="summary-balance" className="block text-sm text-ink-muted tabular-nums">
        {instead ?? <Balance spendable={spendable} left={(spendable ?? 0) - total.coinAmount} />}
      </span>
    </p>
  )
}

interface BalanceProps {
  readonly spendable: PriceWordsProps['spendable']
  /** Tokens after this order; below zero, what is missing. */
  readonly left: number
}

function Balance({ spendable, left }: BalanceProps) {
  if (spendable === null) return 'Your balance is not known yet.'
  if (left < 0) return `You have ${tokens(spendable)}. This order needs ${tokens(-left)} more.`
  return (
    <>
      {/* A phone has no room to say it twice: the header does. */}
      <span className="max-sm:sr-only">{`You have ${tokens(spendable)}. `}</span>
      {`${tokens(left)} will be left.`}
    </>
  )
}

/** The unmet needs of the chosen formats, and the options that do not fit; see `unmetNeeds`. */
function UnmetNeeds({
  findings,
  unfit,
}: {
  readonly findings: readonly Finding[]
  readonly unfit: readonly UnfitEdit[]
}) {
  const bodies = [...new Set(findings.map((finding) => findingCopy(finding).body))].filter(
    (words) => words !== null,
  )
  const isEmpty = findings.length + unfit.length === 0
  return (
    <div
      role="status"
      className={isEmpty ? '' : 'mb-3 flex gap-2 border-b border-line pb-3 text-sm leading-snug'}
    >
      {isEmpty ? null : (
        <>
          <TriangleAlert aria-hidden className="size-4.5 shrink-0 text-warn" />
          <div className="min-w-0">
            {unfit.map(({ name, why }) => (
              <p key={name} className="font-medium">{`${name}: ${why}`}</p>
            ))}
            {findings.map((finding) => (
              <p key={String(finding.facts['format'])} className="font-medium">
                {findingCopy(finding).title}
              </p>
            ))}
            <p className="text-ink-muted">{bodies.join(' ')}</p>
          </div>
        </>
      )}
    </div>
  )
}
