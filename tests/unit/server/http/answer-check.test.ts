import { expect, it, vi } from 'vitest'
import { CHECKED_ONE_IN, createAnswerCheck } from '#server/http/answer-check.ts'

const errors = [{ instancePath: '/order', message: 'must be object' }]

function checkWith(checkAnswers: boolean) {
  const answerErrors = vi.fn((_id: string, _status: number, body: unknown) =>
    body === null ? [] : (errors as never[]),
  )
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() }
  const check = createAnswerCheck({ settings: { checkAnswers }, log } as never, { answerErrors })
  return { check, answerErrors, log }
}

it('checks every answer of a test and fails a call that breaks the contract', () => {
  const { check, answerErrors } = checkWith(true)
  for (let call = 0; call < 3; call += 1) check({ id: 'getOrder' }, { status: 204, json: null })
  expect(answerErrors.mock.calls).toEqual(Array.from({ length: 3 }, () => ['getOrder', 204, null]))
  expect(() => check({ id: 'getOrder' }, { status: 200, json: '{"order":1}' })).toThrow(
    'getOrder answered 200 against its contract: /order must be object',
  )
  expect(answerErrors).toHaveBeenLastCalledWith('getOrder', 200, { order: 1 })
})

it('checks the first answer of each operation and one in a hundred elsewhere, and logs', () => {
  const { check, answerErrors, log } = checkWith(false)
  const answer = { status: 200, json: '[]' }
  for (let call = 0; call <= CHECKED_ONE_IN; call += 1) check({ id: 'getOrder' }, answer)
  check({ id: 'listOrders' }, answer)
  expect(answerErrors.mock.calls.map(([id]) => id)).toEqual(['getOrder', 'getOrder', 'listOrders'])
  expect(log.error).toHaveBeenCalledTimes(3)
  expect(log.error).toHaveBeenCalledWith('contract/answer-mismatch', expect.any(Error))
})
