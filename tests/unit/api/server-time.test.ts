import { expect, it } from 'vitest'
import { toDeviceTime, withServerTime } from '#src/api/server-time.ts'

const SERVER_NOW = Date.parse('2026-11-21T10:00:00.000Z')
const ASKED_AT = SERVER_NOW + 5 * 3_600_000

it('times of the server are told by a device whose clock is hours ahead', () => {
  const response = new Response(null, { headers: { Date: new Date(SERVER_NOW).toUTCString() } })
  const timed = withServerTime({ data: { at: '2026-11-21T09:59:30.000Z' }, response })
  expect(timed.data && toDeviceTime(timed.data.at, timed.data, ASKED_AT)).toBe(ASKED_AT - 30_000)
})

it('nothing is told where there is no time, or the server did not say its own', () => {
  const timed = withServerTime({ data: {}, response: new Response() })
  expect(timed.data?.answeredAtEpochMs).toBeNull()
  expect(toDeviceTime('2026-11-21T09:59:30.000Z', { answeredAtEpochMs: null }, 1)).toBeNull()
  expect(toDeviceTime(null, { answeredAtEpochMs: SERVER_NOW }, 1)).toBeNull()
  const failed = withServerTime({ error: {}, response: new Response(null, { status: 500 }) })
  expect(failed.data).toBeUndefined()
})
