import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createReadiness, READINESS_PATH, type Readiness } from '#server/http/readiness.ts'

let closing: (() => void) | null = null
afterEach(() => closing?.())

/** Readiness behind a socket, and a clock that stands still. */
async function open(): Promise<{
  readiness: Readiness
  ask: () => Promise<Response>
  pass: (ms: number) => void
}> {
  let nowMs = 0
  const readiness = createReadiness(() => nowMs)
  const server = createServer((_request, response) => readiness.answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${READINESS_PATH}`
  return {
    readiness,
    ask: async () => await fetch(url),
    pass: (ms) => {
      nowMs += ms
    },
  }
}

it('SCL-05 is 503 with a coded error before and after the server takes calls, 200 in between', async () => {
  const { readiness, ask } = await open()
  const refusal = { error: { code: 'system/unavailable', message: expect.any(String) } }
  const early = await ask()
  expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
    503,
    '1',
    refusal,
  ])
  readiness.serve('0001_second')
  const serving = await ask()
  expect([serving.status, await serving.json()]).toEqual([
    200,
    { ready: true, migration: '0001_second' },
  ])
  expect(readiness.isStopping()).toBe(false)
  void readiness.stop(new AbortController().signal)
  expect(readiness.isStopping()).toBe(true)
  const late = await ask()
  expect([late.status, await late.json()]).toEqual([503, refusal])
})

it('holds the stop until a balancer that asks was told three times', async () => {
  const { readiness, ask } = await open()
  readiness.serve()
  await ask()
  const events: string[] = []
  const stopped = readiness.stop(new AbortController().signal).then(() => events.push('stopped'))
  for (const answer of ['first', 'second', 'third']) {
    expect(events).not.toContain('stopped')
    expect((await ask()).status).toBe(503)
    events.push(answer)
  }
  await stopped
  expect(events.toSorted()).toEqual(['first', 'second', 'stopped', 'third'])
})

it('holds nothing up when no balancer asks, or not any more', async () => {
  const never = await open()
  never.readiness.serve()
  await never.readiness.stop(new AbortController().signal)
  closing?.()
  const once = await open()
  once.readiness.serve()
  await once.ask()
  once.pass(30_001)
  await once.readiness.stop(new AbortController().signal)
  expect(once.readiness.isStopping()).toBe(true)
})

it('waits for no balancer that stopped asking once the stop is hurried', async () => {
  const { readiness, ask } = await open()
  readiness.serve()
  await ask()
  const hurry = new AbortController()
  const stopped = readiness.stop(hurry.signal)
  hurry.abort()
  await stopped
  expect((await ask()).status).toBe(503)
})
