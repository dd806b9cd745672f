import { SearchX } from 'lucide-react'
import { useParams } from 'react-router'
import { codeOf, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useNounOne } from '#src/hooks/sync/use-noun.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { AddTokens } from './AddTokens.tsx'
import { Balance } from './Balance.tsx'
import { History } from './History.tsx'
import { OpenPayments } from './OpenPayments.tsx'
import { StatusPanel } from './StatusPanel.tsx'
import { SubscriptionRequired } from './SubscriptionRequired.tsx'
import { walletName } from './wallet-words.ts'

/** `/wallets/{walletId}`: balance, ways to add tokens, and where tokens came from and went. */
export function WalletScreen() {
  const { walletId = '' } = useParams()
  const wallet = useNounOne(wallets, walletId)
  if (wallet.data === null && wallet.failure !== null && isMissing(wallet.failure))
    return <WalletMissing />
  return (
    <Page
      title="Your Wallet"
      lead={walletName(walletId)}
      actions={
        <LinkButton to={paths.payments} variant="secondary">
          Payments and Receipts
        </LinkButton>
      }
    >
      <PullFailure pull={wallet} title="Unable to fetch the wallet" className="mb-6" />
      {wallet.data === null ? (
        <NothingYet hasFailed={wallet.status === 'failed'} />
      ) : (
        <ShownWallet key={walletId} wallet={wallet.data} />
      )}
    </Page>
  )
}

function ShownWallet({ wallet }: { readonly wallet: Wallet }) {
  const maySpend = usePermission(PERMISSIONS.createFundSourceWalletCoinTransactions)
  const isSelling = useSellsTokens()
  return (
    <div className="flex flex-col gap-6">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Balance wallet={wallet} />
        <div className="flex flex-col gap-6">
          <StatusPanel wallet={wallet} maySpend={maySpend} />
          {isSelling ? <AddTokens wallet={wallet} maySpend={maySpend} /> : null}
        </div>
      </div>
      <OpenPayments walletId={wallet._id} />
      <History walletId={wallet._id} />
      {isSelling && !maySpend ? <SubscriptionRequired /> : null}
    </div>
  )
}

function NothingYet({ hasFailed }: { readonly hasFailed: boolean }) {
  return hasFailed ? null : (
    <div role="status" aria-label="Loading your wallet" className="grid gap-6 lg:grid-cols-2">
      <Skeleton className="h-56" />
      <Skeleton className="h-56" />
    </div>
  )
}

function WalletMissing() {
  return (
    <Page title="Your Wallet" isTitleHidden>
      <EmptyState
        icon={<SearchX />}
        title="Wallet Not Found"
        action={<LinkButton to={paths.wallets}>View Your Wallets</LinkButton>}
      >
        The requested wallet could not be found or you don't have access to it.
      </EmptyState>
    </Page>
  )
}

/** There is no such wallet for this person, or the address holds no id at all. */
function isMissing(failure: ApiFailure): boolean {
  return statusOf(failure) === 404 || codeOf(failure) === 'request/invalid'
}
