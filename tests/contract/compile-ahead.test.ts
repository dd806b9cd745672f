import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { compileAhead } from '#server/http/compile-ahead.ts'
import type { ContractOperation } from '#server/http/contract.ts'

interface Compiling {
  _compileSchemaEnv(schema: unknown): unknown
}

it('TRU-10 some seconds after a start no call compiles the check of an operation', async () => {
  // A contract of its own: other tests of this process have used theirs.
  vi.resetModules()
  const { loadContract } = await import('#server/http/contract.ts')
  vi.useFakeTimers()
  const compiling = vi.spyOn(Ajv2020.prototype as unknown as Compiling, '_compileSchemaEnv')
  onTestFinished(() => {
    vi.useRealTimers()
    compiling.mockRestore()
  })
  const contract = await loadContract()
  /** Calls an operation with next to nothing, and answers it so. */
  const use = (operation: ContractOperation): void => {
    const given = { path: {}, query: {}, headers: {}, body: {}, bodyValues: 0 }
    contract.checkRequest(operation, given)
    for (const status of [200, 201, 202, 204, 400, 401, 404, 409, 422, 429])
      contract.answerErrors(operation.id, status, {})
  }
  compileAhead(contract)
  expect(compiling).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(10_000)
  const after = compiling.mock.calls.length
  expect(after).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(60_000)
  const compiled = compiling.mock.calls.length
  expect(compiled).toBeGreaterThan(200)
  for (const operation of contract.operations) use(operation)
  expect(compiling.mock.calls.length).toBe(compiled)
})
