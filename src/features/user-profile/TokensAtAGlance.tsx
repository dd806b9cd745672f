import { Coins } from 'lucide-react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useWallets, useWalletTotal } from '#src/hooks/pay/use-wallets.ts'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** What can be spent now, and the way to the wallets. */
export function TokensAtAGlance() {
  const wallets = useWallets()
  const total = useWalletTotal()
  return (
    <Card as="section" labelledBy="tokens" className="flex flex-col gap-4">
      <h2 id="tokens" className="text-xl font-semibold">
        Tokens
      </h2>
      <PullFailure pull={wallets} title="Failed to fetch wallets" />
      <div className="flex flex-wrap items-center justify-between gap-4">
        {total === null ? (
          <Unknown hasFailed={wallets.status === 'failed'} />
        ) : (
          <p className="flex items-center gap-3 text-lg font-semibold tabular-nums">
            <Coins aria-hidden className="size-5 text-accent" />
            {tokens(total)} to spend
          </p>
        )}
        <LinkButton to={paths.wallets} variant="secondary">
          Your wallets
        </LinkButton>
      </div>
    </Card>
  )
}

function Unknown({ hasFailed }: { readonly hasFailed: boolean }) {
  return hasFailed ? null : (
    <div role="status" aria-label="Loading your tokens">
      <Skeleton className="h-7 w-40" />
    </div>
  )
}
