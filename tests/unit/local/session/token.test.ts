import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { cookieValue } from '#src/local/session/cookies.ts'
import { decodeToken } from '#src/local/session/token.ts'

const USER = { _id: 'user-1', email: 'zoë@example.com', permissions: ['create:orders'] }

function tokenOf(payload: unknown): string {
  return ['{"alg":"HS256"}', JSON.stringify(payload), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

it('APP-18 a good token gives id, e-mail and permissions', () => {
  expect(decodeToken(tokenOf({ user: USER }))).toEqual(USER)
})

it('APP-18 a token that is over by the clock of this device still names the person: the server says when it is over', () => {
  for (const exp of [0, Date.parse('2000-01-01') / 1000, Date.parse('2100-01-01') / 1000])
    expect(decodeToken(tokenOf({ user: USER, exp }))).toEqual(USER)
})

it('APP-18 a missing or malformed token, or one without an id, means signed out', () => {
  const bad = [
    null,
    '',
    'x',
    'a.b',
    'a.!!.c',
    tokenOf('text'),
    tokenOf({}),
    tokenOf({ user: { ...USER, _id: '' } }),
    tokenOf({ user: { email: 'a@b.c', permissions: [] } }),
  ]
  for (const token of bad) expect(decodeToken(token)).toBeNull()
})

it('APP-18 no text makes decoding throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `a.${text}.c`),
      ),
      (text) => {
        expect(decodeToken(text)).toBeNull()
      },
    ),
  )
})

it('a cookie is found by its whole name, decoded where it can be', () => {
  expect(cookieValue('XSRF-TOKEN=a%20b; editorUserAuthJwt="q.w.e"; x=1', 'editorUserAuthJwt')).toBe(
    'q.w.e',
  )
  expect(cookieValue('XSRF-TOKEN=a%20b', 'XSRF-TOKEN')).toBe('a b')
  expect(cookieValue('x=50%', 'x')).toBe('50%')
  expect(cookieValue('my-x=1', 'x')).toBeNull()
})
