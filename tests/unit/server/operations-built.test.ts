import { expect, it } from 'vitest'
import { createHandlers } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { loadContract } from '#server/http/contract.ts'

/**
 * What the contract describes for later; each answers 501 until its area is built. Take a line away
 * with its first handler.
 */
const notBuilt: readonly string[] = []

it('every operation of the contract is either built or on the list of those that are not', async () => {
  const { operations } = await loadContract()
  // Routes only keep their dependencies until a call comes.
  const handlers = createHandlers({} as Deps)
  const built = Object.keys(handlers)
  // The part URL is a plain route beside the contract: its body is not parsed.
  const missing = operations
    .filter(({ path }) => !path.startsWith('/v1/parts/'))
    .map(({ id }) => id)
    .filter((id) => !built.includes(id))
  expect(missing.toSorted()).toEqual(notBuilt.toSorted())
  expect(built.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([])
})
