import { QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react/pure'
import { LocalContext } from '#src/hooks/device/local-context.ts'
import { createQueryClient } from '#src/hooks/sync/query-client.ts'
import { useNounList, useNounOne } from '#src/hooks/sync/use-noun.ts'
import { walletTransactions } from '#src/local/nouns/wallet-transactions.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'

const wallet = fakeWallet({ coinBalance: 700 })
const [older, newer, foreign] = [
  { number: 1, walletId: wallet._id, createdAt: '2026-11-20T09:00:00.000Z' },
  { number: 2, walletId: wallet._id, createdAt: '2026-11-21T09:00:00.000Z' },
  { number: 3, walletId: idOf(5), createdAt: '2026-11-21T09:00:00.000Z' },
].map(({ number, ...dated }) => ({
  _id: idOf(100 + number),
  kind: 'order-payment' as const,
  coinAmount: -number,
  description: `payment ${number}`,
  coinsExpireAfterAt: null,
  orderId: null,
  subject: null,
  ...dated,
}))
if (older === undefined || newer === undefined || foreign === undefined) throw new Error('no rows')

/** Shows a wallet and its history, as a screen would. */
function Probe() {
  const one = useNounOne(wallets, wallet._id)
  const list = useNounList(walletTransactions, wallet._id)
  const history = list.data?.map(({ description }) => description).join(', ')
  return (
    <output>
      {`wallet ${one.status} ${one.data?.coinBalance ?? 'unknown'}; `}
      {`history ${list.status} ${history ?? 'unknown'}`}
    </output>
  )
}

async function openProbe(answers: Answers, rows: Rows = {}): Promise<void> {
  const { local } = await openScreen({ path: '/edits', answers, rows })
  await render(
    <LocalContext value={local}>
      <QueryClientProvider client={createQueryClient()}>
        <Probe />
      </QueryClientProvider>
    </LocalContext>,
  )
}

it('a thing and the list of one parent are shown as the server has them, in their order', async () => {
  await openProbe({
    getWallet: { wallet },
    listWalletTransactions: { walletCoinTransactions: [older, newer] },
  })
  await expect
    .element(page.getByText('wallet fresh 700; history fresh payment 2, payment 1'))
    .toBeVisible()
})

it('what the device has is shown when the server fails, without the rows of other parents', async () => {
  const failure = refused(503, 'server/unavailable')
  await openProbe(
    { getWallet: refused(404, 'wallets/not-found'), listWalletTransactions: failure },
    {
      wallets: [wallets.toRow(wallet, NOW - 1)],
      walletTransactions: [older, newer, foreign].map((each) =>
        walletTransactions.toRow(each, NOW - 1),
      ),
    },
  )
  await expect.element(page.getByText(/wallet failed unknown/)).toBeVisible()
  await expect.element(page.getByText(/payment 2, payment 1/)).toBeVisible()
  expect(page.getByText(/payment 3/).elements()).toEqual([])
})
