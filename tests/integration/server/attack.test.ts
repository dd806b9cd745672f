import { afterAll, beforeAll, expect, it } from 'vitest'
import { attackByRequests } from '#tests/faults/attack/attack.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

it('SAF-07 hundreds of hostile requests get refusals, and nothing of another account', async () => {
  const report = await attackByRequests(server, {
    requests: 300,
    seed: 20_261_122,
    pass: (ms) => {
      now += ms
    },
  })
  expect(report.complaints).toEqual([])
  expect(report.operations).toBeGreaterThan(40)
  expect(report.victimRows).toBeGreaterThan(40)
  // Neither is all refused nor all taken.
  for (const status of [200, 401, 404, 422])
    expect(report.answers.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(3)
})
