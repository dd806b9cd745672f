import { expect, it, vi } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { fetchInSession } from '#src/local/session/fetch-in-session.ts'
import { createSession } from '#src/local/session/session.ts'
import { silentLog } from '#src/lib/log.ts'

function cookieOf(userId: string, permissions: readonly string[] = [], exp?: number): string {
  const payload = Buffer.from(
    JSON.stringify({ user: { _id: userId, email: 'a@b.c', permissions }, exp }),
  ).toString('base64url')
  return `editorUserAuthJwt=h.${payload}.s`
}

function createTabs(cookies: string) {
  const jar = { cookies }
  const openPort = createFakeChannelPorts()
  const openTab = () =>
    createSession({
      readCookies: () => jar.cookies,
      channel: createChannel({ port: openPort(), log: silentLog }),
    })
  return { jar, openTab }
}

it('signing in is seen by this tab and by the others', () => {
  const { jar, openTab } = createTabs('')
  const here = openTab()
  const there = openTab()
  expect(here.current().kind).toBe('signed-out')
  jar.cookies = cookieOf('user-1')
  here.refresh()
  expect([here.current().kind, there.current().kind]).toEqual(['signed-in', 'signed-in'])
})

it('permissions that the server reissued are taken over, and an unchanged cookie notifies no tab', () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const session = openTab()
  const listener = vi.fn()
  session.subscribe(listener)
  session.refresh()
  expect(listener).not.toHaveBeenCalled()
  jar.cookies = cookieOf('user-1', ['create:orders'])
  session.refresh()
  expect(listener).toHaveBeenCalledOnce()
  expect(session.current()).toMatchObject({ user: { permissions: ['create:orders'] } })
})

it('a 401 ends the session in every tab until a user signs in again', () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const here = openTab()
  const there = openTab()
  here.markEnded()
  here.refresh()
  expect([here.current().kind, there.current().kind]).toEqual(['ended', 'ended'])
  jar.cookies = cookieOf('user-1', ['create:orders'])
  there.refresh()
  expect([here.current().kind, there.current().kind]).toEqual(['signed-in', 'signed-in'])
})

it('APP-18 a session that is over by the clock of this device lasts until the server refuses it', () => {
  const { openTab } = createTabs(cookieOf('user-1', [], 1))
  const session = openTab()
  session.refresh()
  expect(session.current().kind).toBe('signed-in')
  session.markEnded()
  expect(session.current().kind).toBe('ended')
})

it('a 401 of an old session does not end one that was begun meanwhile', () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const session = openTab()
  jar.cookies = cookieOf('user-2')
  session.markEnded()
  expect(session.current()).toMatchObject({ kind: 'signed-in', user: { _id: 'user-2' } })
})

it('AUT-07 signing out is seen by every tab', () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const here = openTab()
  const there = openTab()
  jar.cookies = ''
  here.markSignedOut()
  expect([here.current().kind, there.current().kind]).toEqual(['signed-out', 'signed-out'])
})

it('AUT-07 the cookies of a session that was left count for nothing in any tab, until the next sign-in', () => {
  const { jar, openTab } = createTabs(`${cookieOf('user-1')}; XSRF-TOKEN=of-session-1`)
  const here = openTab()
  const there = openTab()
  jar.cookies = 'XSRF-TOKEN=of-session-1'
  here.markSignedOut()
  // The server, which has not heard of it, answers some call and brings the readable cookie back.
  jar.cookies = `${cookieOf('user-1')}; XSRF-TOKEN=of-session-1`
  for (const tab of [here, there]) tab.refresh()
  expect([here.current().kind, there.current().kind]).toEqual(['signed-out', 'signed-out'])
  jar.cookies = `${cookieOf('user-1')}; XSRF-TOKEN=of-session-2`
  for (const tab of [here, there]) tab.refresh()
  expect([here.current().kind, there.current().kind]).toEqual(['signed-in', 'signed-in'])
})

it('SAF-05 the end of another session does not end the one that followed it', () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const former = openTab()
  jar.cookies = cookieOf('user-2')
  const present = openTab()
  // The server refused a call in the name of the first user; this tab learns of the second by it.
  former.markEnded()
  expect([former.current(), present.current()]).toMatchObject([
    { kind: 'signed-in', user: { _id: 'user-2' } },
    { kind: 'signed-in', user: { _id: 'user-2' } },
  ])
})

it('WAY-04 a call in the name of a user whose cookie is gone is not sent, and ends the session', async () => {
  const { jar, openTab } = createTabs(cookieOf('user-1'))
  const session = openTab()
  const sent: string[] = []
  const fetch = fetchInSession(session, (request) => {
    sent.push(request.url)
    return Promise.resolve(new Response())
  })
  const call = (headers: Record<string, string>) =>
    fetch(new Request('http://localhost/call', { headers }))
  expect((await call({ 'X-User-Id': 'user-1' })).status).toBe(200)
  jar.cookies = ''
  const refused = await call({ 'X-User-Id': 'user-1' })
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { error: { code: 'auth/signed-out' } },
  ])
  expect([session.current().kind, sent.length]).toEqual(['ended', 1])
  // Signing in again is in no one's name.
  expect((await call({})).status).toBe(200)
})
