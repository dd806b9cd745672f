import { expect, it } from 'vitest'
import { readSettings } from '#server/env.ts'
import { createSecurityTxt } from '#server/routes/security-txt.ts'

const PATH = '/.well-known/security.txt'
const ask = async (env: Readonly<Record<string, string>>) =>
  await createSecurityTxt({
    settings: readSettings({ ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com', ...env }),
    clock: () => new Date('2026-11-28T12:00:00Z'),
  }).request(PATH)

it('says where holes are reported, for 90 days', async () => {
  const answer = await ask({ ONECUT_SECURITY_CONTACT: 'security@example.com' })
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await answer.text()).toBe(
    [
      'Contact: mailto:security@example.com',
      'Expires: 2027-02-26T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://edits.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  )
  const page = await ask({ ONECUT_SECURITY_CONTACT: 'https://example.com/security' })
  expect(await page.text()).toMatch(/^Contact: https:\/\/example\.com\/security$/m)
})

it('is not there without an address', async () => {
  expect((await ask({})).status).toBe(404)
})

it.each(['security', 'http://example.com', 'a@example.com\nContact: b@example.com'])(
  'refuses %j as an address',
  (ONECUT_SECURITY_CONTACT) => {
    expect(() => readSettings({ ONECUT_SECURITY_CONTACT })).toThrow(/^ONECUT_SECURITY_CONTACT is /)
  },
)
