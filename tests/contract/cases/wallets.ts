import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'

/** The id of the wallet that came with the account. */
export async function walletIdOf({ me }: Pick<World, 'me'>): Promise<string> {
  return (
    (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body.wallets[0]?._id ?? ''
  )
}

export const walletCases: OperationCases = {
  listWallets: { valid: async () => ({ status: 200 }) },
  getWallet: {
    valid: async (world) => ({ params: { walletId: await walletIdOf(world) }, status: 200 }),
  },
  listWalletTransactions: {
    valid: async (world) => ({ params: { walletId: await walletIdOf(world) }, status: 200 }),
  },
}
