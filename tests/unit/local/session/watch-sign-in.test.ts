import { expect, it, vi } from 'vitest'
import type { SessionState } from '#src/local/session/session.ts'
import { watchSignIn } from '#src/local/session/watch-sign-in.ts'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'

const user = { _id: 'u', email: 'a@example.com', permissions: [] }
const LINE = 'GET /v1/users/me'

function createWatch(isVisible: boolean, state: SessionState = { kind: 'signed-out' }) {
  const refresh = vi.fn()
  const markAccepted = vi.fn()
  const api = createFakeApi()
  api.routes.set(LINE, () => problem(401, 'auth/signed-out'))
  const running = new Set<() => void>()
  const attention = new Set<() => void>()
  const startIn = (started: Set<() => void>) => (run: () => void) => {
    started.add(run)
    return () => void started.delete(run)
  }
  const stop = watchSignIn({
    session: { current: () => state, refresh, markAccepted },
    api: api.client,
    isVisible: () => isVisible,
    every: (_delayMs, run) => startIn(running)(run),
    onAttention: startIn(attention),
  })
  const poll = (times: number) => {
    for (let count = 0; count < times; count += 1) for (const run of running) run()
  }
  const asked = () => api.requests.filter(({ line }) => line === LINE).length
  return { refresh, markAccepted, api, stop, running, attention, poll, asked }
}

it('a page that waits for a sign-in reads the cookie again and again while it is seen', () => {
  const { refresh, poll, asked } = createWatch(true)
  poll(2)
  expect(refresh).toHaveBeenCalledTimes(2)
  // No account was signed in, so there is no session that the server could accept again.
  expect(asked()).toBe(0)
})

it('a hidden page does not poll, and looks at once when it gets the focus', () => {
  const { refresh, poll, attention } = createWatch(false)
  poll(1)
  expect(refresh).not.toHaveBeenCalled()
  for (const listener of attention) listener()
  expect(refresh).toHaveBeenCalledOnce()
})

it('SAF-07 a session that ended comes back by itself when the server accepts it again', async () => {
  const { markAccepted, api, poll, asked } = createWatch(true, { kind: 'ended', user })
  poll(1)
  await expect.poll(asked).toBeGreaterThan(0)
  expect(markAccepted).not.toHaveBeenCalled()
  api.routes.set(LINE, () => Response.json({ user, userProfile: {}, flags: {} }))
  poll(1)
  await expect.poll(() => markAccepted).toHaveBeenCalledOnce()
})

it('a page left at the log-in asks the server more and more rarely, and at once when looked at', async () => {
  const { api, poll, asked, attention } = createWatch(true, { kind: 'ended', user })
  // Without an answer nothing is asked a second time.
  api.routes.set(LINE, () => new Response('<h1>Bad gateway', { status: 502 }))
  poll(64)
  await expect.poll(asked).toBe(7)
  for (const listener of attention) listener()
  await expect.poll(asked).toBe(8)
})

it('nothing is left running after the end', () => {
  const { stop, running, attention } = createWatch(true)
  stop()
  expect([running.size, attention.size]).toEqual([0, 0])
})
