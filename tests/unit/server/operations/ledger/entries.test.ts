import fc from 'fast-check'
import { describe, it } from 'vitest'
import { runs } from '#tests/seeds.ts'
import { histories, playHistory } from '#tests/suites/ledger.ts'
import { createMemoryLedger } from './memory-ledger.ts'

describe('entries of the ledger', () => {
  it('WAL-10 10,000 histories end like the ledger on paper: refunds are exact, and no debt is older than the newest grant', async () => {
    await fc.assert(
      fc.asyncProperty(histories(30, 25), async (history) => {
        await playHistory(history, createMemoryLedger(history.creditLimit))
      }),
      { numRuns: runs(10_000) },
    )
  })
})
