import { expect, it } from 'vitest'
import { CALLS_AT_ONCE, CALLS_PER_SECOND } from '#server/budgets.ts'
import { createCallBudget } from '#server/http/call-budget.ts'

const TOO_MANY = expect.objectContaining({ code: 'request/too-many', retryAfterS: 50 })

it('TRU-02 an account that calls without pause is refused, and no other', () => {
  let nowMs = 0
  const count = createCallBudget(() => new Date(nowMs))
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
  expect(() => count('two')).not.toThrow()
  nowMs += 1_000
  for (let call = 0; call < CALLS_PER_SECOND; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
})

it('a call budget is full again after a while, and a clock that goes back takes nothing', () => {
  let nowMs = 200_000
  const count = createCallBudget(() => new Date(nowMs))
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  nowMs = 100_000
  expect(() => count('one')).toThrow(TOO_MANY)
  nowMs = 400_000
  count('two')
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
})
