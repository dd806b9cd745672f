import { expect, it } from 'vitest'
import { fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { newestFirst, oldestFirst } from '#src/local/nouns/define-noun.ts'
import { wallets } from '#src/local/nouns/wallets.ts'

it('things sort by the time they were made, and by id where it is the same', () => {
  const rows = [
    fakeWallet({ _id: idOf(3), createdAt: '2026-11-20T00:00:00.000Z' }),
    fakeWallet({ _id: idOf(2), createdAt: '2026-11-21T00:00:00.000Z' }),
    fakeWallet({ _id: idOf(1), createdAt: '2026-11-21T00:00:00.000Z' }),
  ].map((wallet) => wallets.toRow(wallet, 0))
  const ids = (sort: typeof oldestFirst) => rows.toSorted(sort).map(({ _id }) => _id)
  expect(ids(oldestFirst)).toEqual([3, 1, 2].map(idOf))
  expect(ids(newestFirst)).toEqual([2, 1, 3].map(idOf))
})
