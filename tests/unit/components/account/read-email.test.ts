import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { emailReadAs, readEmail } from '#src/components/account/read-email.ts'

it('TYP-03 an address is repaired where only one can be meant, and the form says so', () => {
  for (const text of [
    'Ann <ann@example.com>',
    'Ann Lee (work) <ann@example.com>;',
    '"Lee, Ann" <ann@example.com>',
    '<ann@example.com>',
    '(ann@example.com)',
    'mailto:ann@example.com',
    'MAILTO:ann@example.com?subject=Hi',
    '<mailto:ann@example.com>',
    'E-mail: ann@example.com',
    'ann@example.com.',
    '„ann@example.com“',
    '« ann@example.com »',
    '「ann@example.com」',
    'ann@example.com,',
    'ann＠example.com',
    'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ann@example。com',
    'ann @ example.com',
    '\u200Bann@example.com\u202C',
  ]) {
    expect([text, readEmail(text)]).toEqual([text, 'ann@example.com'])
    expect(emailReadAs(text)).toBe('Read as ann@example.com')
  }
})

it('TYP-03 a hyphen of a page is that of the address', () => {
  for (const text of ['ann\u2011lee@example.com', 'ann\u2010lee@example.com'])
    expect([text, readEmail(text)]).toEqual([text, 'ann-lee@example.com'])
})

it('TYP-03 what may be another address stays as it is', () => {
  for (const text of [
    'a b@example.com',
    'ann@example.com, bob@example.com',
    'Ann <ann@example.com> Bob <bob@example.com>',
    'mailto:ann@example.com,bob@example.com',
    'ann@exam ple.com',
    'ann@@example.com',
    'ann@example,com',
    'ann',
    '',
  ]) {
    expect(readEmail(text)).toBe(text)
    expect(emailReadAs(text)).toBeNull()
  }
})

it('TYP-03 a right address is never changed', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(readEmail(` ${email} `)).toBe(email)
    }),
  )
})
