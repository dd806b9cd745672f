import { read, withSignal, type Pull } from './pull.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer, replaceRows } from '#src/local/db/put.ts'
import { walletToRow, walletTransactionToRow } from '#src/local/db/to-rows.ts'
import { statusOf } from '#src/api/errors.ts'
import { ok } from '#src/lib/result.ts'

/** All wallets of the user with their balances. */
export const pullWallets: Pull<[]> = async (deps, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/wallets', withSignal(signal))),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.wallets.map((wallet) => walletToRow(wallet, pulledAtEpochMs))
  await db.transaction('rw', db.wallets, async () => {
    await replaceRows(db.wallets, rows, await db.wallets.toArray(), pulledAtEpochMs)
  })
  return ok(null)
}

/** One wallet. A 404 removes its row too, and is still a failure to the caller. */
export const pullWallet: Pull<[walletId: string]> = async (deps, walletId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/wallets/{walletId}', {
          params: { path: { walletId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) {
    if (statusOf(answer.error) === 404) await db.wallets.delete(walletId)
    return answer
  }
  await db.transaction('rw', db.wallets, () =>
    putUnlessNewer(db.wallets, [walletToRow(answer.value.wallet, pulledAtEpochMs)]),
  )
  return ok(null)
}

/** The whole history of one wallet. */
export const pullWalletTransactions: Pull<[walletId: string]> = async (deps, walletId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/wallets/{walletId}/wallet-coin-transactions', {
          params: { path: { walletId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.walletCoinTransactions.map((transaction) =>
    walletTransactionToRow(transaction, pulledAtEpochMs),
  )
  await db.transaction('rw', db.walletTransactions, async () => {
    const present = await db.walletTransactions.where('walletId').equals(walletId).toArray()
    await replaceRows(db.walletTransactions, rows, present, pulledAtEpochMs)
  })
  return ok(null)
}
