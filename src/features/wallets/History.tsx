import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { walletTransactions } from '#src/local/nouns/wallet-transactions.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { lineAnchor, lineLink, type HistoryLine } from './history-link.ts'

/** Lines that are shown at first, and again at each press. */
const LINES = 50

/** Where the tokens of a wallet came from and went, newest first. */
export function History({ walletId }: { readonly walletId: string }) {
  const history = useNounList(walletTransactions, walletId)
  return (
    <Card as="section" labelledBy="history">
      <h2 id="history" className="mb-4 text-lg font-semibold">
        Transaction History
      </h2>
      <PullFailure pull={history} title="Unable to fetch the transactions" className="mb-4" />
      {history.data === null ? (
        <NothingYet hasFailed={history.status === 'failed'} />
      ) : (
        <Lines lines={history.data} />
      )}
    </Card>
  )
}

function NothingYet({ hasFailed }: { readonly hasFailed: boolean }) {
  return hasFailed ? null : (
    <div role="status" aria-label="Loading the transactions">
      <Skeleton className="h-40" />
    </div>
  )
}

function Lines({ lines }: { readonly lines: readonly HistoryLine[] }) {
  const [shown, setShown] = useState(LINES)
  const { hash } = useLocation()
  if (lines.length === 0)
    return (
      <EmptyState icon={<ReceiptText />} title="No Transactions Yet">
        Tokens that you get and spend are listed here.
      </EmptyState>
    )
  // A line that the address names is among those shown.
  const named = lines.findIndex((line) => `#${lineAnchor(line._id)}` === hash)
  const visible = lines.slice(0, Math.max(shown, named + 1))
  return (
    <>
      <table className="w-full border-collapse text-left text-[0.9375rem] max-sm:wrap-anywhere">
        <thead className="border-b border-line text-sm text-ink-muted">
          <tr>
            <th scope="col" className="py-2 pr-4 font-medium">
              Description
            </th>
            <th scope="col" className="hidden py-2 pr-4 font-medium sm:table-cell">
              Date
            </th>
            <th scope="col" className="hidden py-2 pr-4 font-medium sm:table-cell">
              Expires
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {visible.map((line, at) => (
            <Line key={line._id} line={line} isNamed={at === named} lines={lines} />
          ))}
        </tbody>
      </table>
      {visible.length < lines.length ? (
        <div className="mt-4 text-center">
          <Button variant="secondary" onPress={() => setShown(visible.length + LINES)}>
            Show Older
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Line({
  line,
  isNamed,
  lines,
}: {
  readonly line: HistoryLine
  readonly isNamed: boolean
  readonly lines: readonly HistoryLine[]
}) {
  const { _id, coinAmount, description, coinsExpireAfterAt, createdAt } = line
  const link = lineLink(line, lines)
  const date = dateWords(Date.parse(createdAt))
  const expires = coinsExpireAfterAt === null ? 'Never' : dateWords(Date.parse(coinsExpireAfterAt))
  return (
    <tr
      id={lineAnchor(_id)}
      className={classNames(
        'scroll-mt-24 border-b border-line align-top last:border-0',
        isNamed && 'bg-accent-soft',
      )}
    >
      <td className="py-3 pr-4">
        <span className="block">{description ?? 'No description'}</span>
        <span className="block text-sm text-ink-muted sm:hidden">
          {coinAmount > 0 ? `${date} · Expires: ${expires}` : date}
        </span>
        {link === null ? null : (
          <TextLink to={link.to} className="text-sm pointer-coarse:py-3.5">
            {link.label}
          </TextLink>
        )}
      </td>
      <td className="hidden py-3 pr-4 whitespace-nowrap text-ink-muted sm:table-cell">{date}</td>
      <td className="hidden py-3 pr-4 whitespace-nowrap text-ink-muted sm:table-cell">
        {coinAmount > 0 ? expires : ''}
      </td>
      <td
        className={classNames(
          'py-3 text-right font-semibold whitespace-nowrap tabular-nums',
          coinAmount > 0 && 'text-good',
        )}
      >
        {signed(coinAmount)}
      </td>
    </tr>
  )
}

/** '+1,900', '-300'. */
function signed(coinAmount: number): string {
  return coinAmount.toLocaleString('en-US', { signDisplay: 'exceptZero' })
}
