import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { normaliseEmail, refusePlusAddress } from '#server/operations/accounts/auth/email.ts'
import { ownPath } from '#server/operations/accounts/auth/redirect.ts'

const origin = 'https://edits.example.com'

describe('addresses', () => {
  it.each([
    '',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.co',
    'a@b..co',
    'a@-b.co',
    'a@b.co\nBcc: x@y.zz',
    '"a"@b.co',
    `${'a'.repeat(250)}@b.co`,
  ])('AUT-03 refuses %j as an e-mail address', (given) => {
    expect(() => normaliseEmail(given)).toThrow(
      expect.objectContaining({
        code: 'request/invalid',
        message: 'Invalid email address',
        fields: { 'user.email': 'Invalid email address' },
      }),
    )
  })

  it('AUT-03 accepts any usual address and keeps it in lower case', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(normaliseEmail(` ${email.toUpperCase()} `)).toBe(email.toLowerCase())
      }),
    )
  })

  it('AUT-03 refuses a plus sign with the exact text', () => {
    expect(() => refusePlusAddress('a+b@c.co')).toThrow(
      expect.objectContaining({
        code: 'request/invalid',
        message: 'Email address cannot contain "+" character',
      }),
    )
    expect(() => refusePlusAddress('a.b@c.co')).not.toThrow()
  })
})

describe('where signing in leads', () => {
  it.each([
    ['/', '/'],
    ['/create-profile', '/create-profile'],
    ['/edits?a=b#c', '/edits?a=b#c'],
    [`${origin}/uploads/new`, '/uploads/new'],
    ['/a/../edits', '/edits'],
  ])('AUT-05 takes %s', (given, path) => {
    expect(ownPath(given, origin)).toBe(path)
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '',
    ' /edits',
    '/a\nb',
    '/\t/evil.example',
    `${origin}@evil.example/`,
    `https://user:pw@edits.example.com/`,
    `http://edits.example.com/`,
    '/editors/api/v1/auth/logout',
    '/x/..//evil.example',
    '/.//evil.example',
  ])('AUT-05 refuses %j', (given) => {
    expect(() => ownPath(given, origin)).toThrow(
      expect.objectContaining({ code: 'auth/redirect-not-allowed' }),
    )
  })

  it('AUT-05 whatever is taken stays on our own pages', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true }),
          fc.string({
            unit: fc.constantFrom('/', '\\', '.', ':', '@', 'a', '?', '#', '%', '\t', '2', 'f'),
          }),
        ),
        (given) => {
          let path: string
          try {
            path = ownPath(given, origin)
          } catch {
            return
          }
          expect(new URL(path, origin).origin).toBe(origin)
          expect(path.startsWith('/') && !path.startsWith('//')).toBe(true)
        },
      ),
    )
  })
})
