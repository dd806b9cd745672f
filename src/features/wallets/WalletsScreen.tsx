import { ChevronRight, Coins, Wallet as WalletIcon } from 'lucide-react'
import { Link, Navigate } from 'react-router'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import { useWallets, type Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { walletBadge, walletName } from './wallet-words.ts'

/** `/wallets`: every wallet; the only one is shown at once. */
export function WalletsScreen() {
  const wallets = useWallets()
  const [only, second] = wallets.data ?? []
  if (only !== undefined && second === undefined)
    return <Navigate to={paths.wallet(only._id)} replace />
  return (
    <Page title="Your Wallets">
      <PullFailure pull={wallets} title="Failed to fetch wallets" className="mb-6" />
      {wallets.data === null ? (
        <NothingYet hasFailed={wallets.status === 'failed'} />
      ) : (
        <WalletList wallets={wallets.data} />
      )}
    </Page>
  )
}

function NothingYet({ hasFailed }: { readonly hasFailed: boolean }) {
  return hasFailed ? null : (
    <div role="status" aria-label="Loading your wallets" className="flex flex-col gap-4">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  )
}

function WalletList({ wallets }: { readonly wallets: readonly Wallet[] }) {
  if (wallets.length === 0)
    return (
      <EmptyState
        icon={<WalletIcon />}
        title="No Wallets Found"
        action={<LinkButton to={paths.createProfile}>Complete Your Profile</LinkButton>}
      >
        A wallet holds the tokens that pay for your edits.
      </EmptyState>
    )
  return (
    <ul className="grid gap-4 lg:grid-cols-2">
      {wallets.map((wallet) => (
        <WalletItem key={wallet._id} wallet={wallet} />
      ))}
    </ul>
  )
}

function WalletItem({ wallet }: { readonly wallet: Wallet }) {
  const badge = walletBadge(wallet.coinBalance)
  return (
    <li>
      <Link
        to={paths.wallet(wallet._id)}
        className="flex min-h-24 items-center gap-4 rounded-card border border-line bg-surface p-5 no-underline shadow-1 transition hover:border-line-control"
      >
        <span
          aria-hidden
          className="grid size-11 shrink-0 place-items-center rounded-full bg-surface-sunken text-accent"
        >
          <Coins className="size-5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-lg font-semibold text-ink tabular-nums">
              {tokens(wallet.coinBalance)}
            </span>
            <Badge tone={badge.tone}>{badge.label}</Badge>
          </span>
          <span className="mt-1 block text-[0.9375rem] text-ink-muted">
            {walletName(wallet._id)}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-muted" />
      </Link>
    </li>
  )
}
