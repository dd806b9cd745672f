import { expect, it } from 'vitest'
import {
  CALLS_AT_ONCE,
  CALLS_PER_SECOND,
  STRANGER_CALLS_AT_ONCE,
  STRANGER_CALLS_PER_SECOND,
} from '#server/budgets.ts'
import { createCallBudget } from '#server/http/call-budget.ts'

const TOO_MANY = expect.objectContaining({ code: 'request/too-many', retryAfterS: 50 })

it('TRU-02 an account that calls without pause is refused, and no other', () => {
  let nowMs = 0
  const count = createCallBudget(() => new Date(nowMs)).ofAccount
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
  expect(() => count('two')).not.toThrow()
  nowMs += 1_000
  for (let call = 0; call < CALLS_PER_SECOND; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
})

it('a call budget is full again after a while, and a clock that goes back takes nothing', () => {
  let nowMs = 200_000
  const count = createCallBudget(() => new Date(nowMs)).ofAccount
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  nowMs = 100_000
  expect(() => count('one')).toThrow(TOO_MANY)
  nowMs = 400_000
  count('two')
  for (let call = 0; call < CALLS_AT_ONCE; call += 1) count('one')
  expect(() => count('one')).toThrow(TOO_MANY)
})

const times = (count: number, call: () => void): void => {
  for (let at = 0; at < count; at += 1) call()
}
const FROM_NETWORK = expect.objectContaining({ code: 'request/too-many', retryAfterS: 30 })

it('TRU-02 a network that calls without a session and without pause is refused, and no other', () => {
  let nowMs = 0
  const { ofStranger } = createCallBudget(() => new Date(nowMs))
  times(STRANGER_CALLS_AT_ONCE, () => ofStranger('203.0.113.7'))
  expect(() => ofStranger('203.0.113.7')).toThrow(FROM_NETWORK)
  expect(() => ofStranger('203.0.113.8')).not.toThrow()
  nowMs += 1_000
  times(STRANGER_CALLS_PER_SECOND, () => ofStranger('203.0.113.7'))
  expect(() => ofStranger('203.0.113.7')).toThrow(FROM_NETWORK)
})

it.each([
  ['/56', (at: number) => `2001:db8:1:4${at.toString(16).padStart(2, '0')}::/64`, 2],
  ['/48', (at: number) => `2001:db8:1:${(at * 0x100).toString(16)}::/64`, 4],
])('TRU-02 who has a whole %s gets little more than one network', (_, network, share) => {
  const { ofStranger } = createCallBudget(() => new Date(0))
  for (let at = 0; at < share; at += 1) times(STRANGER_CALLS_AT_ONCE, () => ofStranger(network(at)))
  expect(() => ofStranger(network(share))).toThrow(FROM_NETWORK)
  expect(() => ofStranger('2001:db8:2:400::/64')).not.toThrow()
})
