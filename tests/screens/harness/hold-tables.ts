import type { AccountDb } from '#src/local/db/account-db.ts'

/**
 * Keeps everybody else from reading tables, as a device does that is busy: a transaction that
 * writes runs alone on its tables.
 * @returns a function that lets them be read; resolves once it has
 */
export async function holdTables(
  db: AccountDb,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const [first = ''] = names
  const held = Promise.withResolvers<void>()
  let isHeld = true
  const holding = db.transaction('rw', [...names], async () => {
    // A transaction ends as soon as it has nothing to do.
    while (isHeld) {
      await db.table(first).get('')
      held.resolve()
    }
  })
  await held.promise
  return async () => {
    isHeld = false
    await holding
  }
}
