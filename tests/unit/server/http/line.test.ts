import { expect, it } from 'vitest'
import { STRANGER_CALLS_AT_ONCE } from '#server/budgets.ts'
import { createCallBudget } from '#server/http/call-budget.ts'
import { createLine } from '#server/http/line.ts'

/** A line with a loop that works and rests when the test says so. */
function lineOf(budget = createCallBudget(() => new Date(0))) {
  const loop = { idle: 0, active: 0 }
  const looks: (() => void)[] = []
  const line = createLine(
    budget,
    () => ({ ...loop }),
    (look) => looks.push(look),
  )
  const order: string[] = []
  const ask = async (network: string, isGone = () => false): Promise<() => void> => {
    const leave = await line.ofStranger({ network, isGone })
    order.push(network)
    return leave
  }
  return {
    line,
    budget,
    order,
    ask,
    async pass({ idle = 0, active = 0 }): Promise<void> {
      loop.idle += idle
      loop.active += active
      for (const look of looks.splice(0)) look()
      // What was let in says so in a moment of its own.
      await new Promise(setImmediate)
    },
  }
}

const token = 'a session'

it('TRU-10 on a quiet server no call waits, and behind one that works the next one does', async () => {
  const { ask, pass, order } = lineOf()
  await pass({ idle: 1_000 })
  await ask('one')
  const second = ask('two')
  await pass({ active: 2, idle: 1 })
  expect(order).toEqual(['one'])
  await pass({ idle: 1 })
  await second
  expect(order).toEqual(['one', 'two'])
})

it('TRU-10 strangers without a pause get half of a loop, and some of one that has no rest', async () => {
  const { ask, pass, order } = lineOf()
  const calls = Array.from({ length: 100 }, async () => {
    const leave = await ask('flood')
    leave()
  })
  for (let at = 0; at < 8; at += 1) await pass({ active: 2, idle: 0.5 })
  // The first at once, then one in 5 ms.
  expect(order).toHaveLength(5)
  for (let at = 0; at < 8; at += 1) await pass({ active: 1, idle: 1 })
  expect(order).toHaveLength(13)
  while (order.length < calls.length) await pass({ idle: 10 })
  await Promise.all(calls)
})

it('TRU-10 calls that go on, as in the database, hold up those behind them in the line', async () => {
  const { ask, pass, order } = lineOf()
  await pass({ idle: 10 })
  const leaves: (() => void)[] = []
  const calls = ['one', 'two', 'three', 'four'].map(async (name) => {
    leaves.push(await ask(name))
  })
  for (let ms = 0; ms < 3; ms += 1) await pass({ idle: 1 })
  expect(order).toEqual(['one', 'two', 'three'])
  for (const leave of leaves) leave()
  await pass({ idle: 0.5 })
  expect(order).toEqual(['one', 'two', 'three', 'four'])
  await Promise.all(calls)
})

it('TRU-10 who has used up less of its budget goes first, and who has gone keeps no place', async () => {
  const { ask, pass, order, budget } = lineOf()
  for (let call = 0; call < 50; call += 1) budget.ofStranger('203.0.113.1')
  await pass({ idle: 10 })
  await ask('first')
  let isGone = false
  const left = ask('198.51.100.1', () => isGone)
  const calls = [ask('203.0.113.1'), ask('203.0.113.2')]
  isGone = true
  const refused = expect(left).rejects.toMatchObject({ code: 'system/unavailable' })
  await pass({ idle: 10 })
  await pass({ idle: 10 })
  await Promise.all([...calls, refused])
  expect(order).toEqual(['first', '203.0.113.2', '203.0.113.1'])
})

it('TRU-10 who has used up a whole budget waits ten seconds behind others, and no longer', async () => {
  const { ask, pass, order, budget } = lineOf()
  for (let call = 0; call < STRANGER_CALLS_AT_ONCE; call += 1) budget.ofStranger('203.0.113.1')
  await ask('first')
  const calls = [ask('203.0.113.1')]
  for (let s = 0; s < 13; s += 1) {
    calls.push(ask(`198.51.100.${s}`), ask(`198.51.100.${s}`))
    await pass({ active: 1_000 })
  }
  while (order.length < calls.length + 1) await pass({ idle: 10 })
  await Promise.all(calls)
  const place = order.indexOf('203.0.113.1')
  expect(order.lastIndexOf('198.51.100.9')).toBeLessThan(place)
  expect(order.indexOf('198.51.100.11')).toBeGreaterThan(place)
})

it('TRU-10 a line that is too long refuses the last in it, and not who comes then', async () => {
  const { ask, pass, order, budget } = lineOf()
  for (let call = 0; call < STRANGER_CALLS_AT_ONCE; call += 1) budget.ofStranger('203.0.113.1')
  await pass({ idle: 10 })
  await ask('first')
  let refused = 0
  const flood = Array.from({ length: 1_000 }, async () => {
    await ask('203.0.113.1').catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'system/unavailable' })
      refused += 1
    })
  })
  const other = ask('203.0.113.2')
  await pass({ idle: 10 })
  await other
  expect([refused, order]).toEqual([1, ['first', '203.0.113.2']])
  while (order.length < 1_001) await pass({ idle: 10 })
  await Promise.all(flood)
})

it('TRU-10 an account waits in no line until it asks without a pause, and a made-up session does', async () => {
  const { line, budget, ask, pass } = lineOf()
  const call = { token, network: '203.0.113.7', isGone: () => false }
  await pass({ idle: 10 })
  await ask('flood')
  let entered = 0
  const enter = async (): Promise<void> => {
    await line.ofCall(call)
    entered += 1
  }
  const unknown = enter()
  await pass({})
  expect(entered).toBe(0)
  await pass({ idle: 10 })
  await unknown

  line.learn(token, 'creator')
  await enter()
  expect(entered).toBe(2)
  for (let asked = 0; asked < 30; asked += 1) budget.ofAccount('creator')
  const hurried = enter()
  await pass({})
  expect(entered).toBe(2)
  await pass({ idle: 10 })
  await hurried

  // The session is over.
  line.learn(token, null)
  const ended = enter()
  await pass({})
  expect(entered).toBe(3)
  await pass({ idle: 10 })
  await ended
})
