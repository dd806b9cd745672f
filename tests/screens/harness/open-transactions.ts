/** Transactions of this page's databases that have begun and not ended. */
const open = new Set<IDBTransaction>()

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function watched(this: IDBDatabase, ...given) {
  const transaction = begin.apply(this, given)
  open.add(transaction)
  for (const end of ['complete', 'abort'] as const)
    transaction.addEventListener(end, () => open.delete(transaction))
  return transaction
}

/** A query begins its next transaction before the page comes to its next task. */
const QUIET_TURNS = 2

/**
 * Waits for the queries of all databases that have begun, so that none of them meets a closed one.
 * Asking the databases for it took ten transactions over all tables after each test.
 */
export async function letQueriesEnd(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet = open.size === 0 ? quiet + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve))
}
