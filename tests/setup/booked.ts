import type { components } from '#openapi/schema.gen.ts'
import type { TestClient } from '#tests/setup/client.ts'

type Schemas = components['schemas']

/** What moved the tokens of a person's first wallet: its kind and how many, oldest first. */
export async function booked(client: TestClient): Promise<(readonly [string, number])[]> {
  const { wallets } = (await client.get<{ wallets: Schemas['Wallet'][] }>('/v1/wallets')).body
  const { body } = await client.get<{ walletCoinTransactions: Schemas['WalletCoinTransaction'][] }>(
    `/v1/wallets/${wallets[0]?._id}/wallet-coin-transactions`,
  )
  return body.walletCoinTransactions
    .toReversed()
    .map(({ kind, coinAmount }) => [kind, coinAmount] as const)
}
