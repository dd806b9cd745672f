import { expect, it } from 'vitest'
import { noAccountMail, signInMail } from '#server/mail/sign-in-mail.ts'

const facts = {
  to: 'sam@example.com',
  purpose: 'signup',
  trial: 'begins',
  url: 'https://edits.example.com/editors/api/v1/auth/magic-link/callback?token=abc',
  code: '012345',
  minutes: 10,
} as const

it.each(['signup', 'login'] as const)(
  'AUT-06 the %s mail says the same in text and html: link, code, ten minutes, ignore it',
  (purpose) => {
    const mail = signInMail({ ...facts, purpose })
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(facts.url)
      expect(body).toContain('012345')
      expect(body).toContain('10 minutes')
      expect(body).toContain('If you did not request this, you can ignore this email.')
    }
    expect(mail.to).toBe(facts.to)
  },
)

it('AUT-10 only a mailbox that had no account before is promised tokens', () => {
  expect(signInMail(facts).text).toContain('with 1,000 tokens to get started.')
  const returning = signInMail({ ...facts, trial: 'none' })
  expect(returning.text).toContain('One tap and your account is ready.')
  expect(returning.text + returning.html).not.toContain('tokens')
})

it('AUT-06 links are escaped in html', () => {
  expect(signInMail({ ...facts, url: 'https://x.example/?a=1&b="><script>' }).html).not.toContain(
    '<script>',
  )
})

it('AUT-02 an address without an account gets the way to one, and no code', () => {
  const mail = noAccountMail({
    to: 'sam@example.com',
    signUpUrl: 'https://edits.example.com/signup',
  })
  expect(mail.text).toContain('https://edits.example.com/signup')
  expect(mail.text).not.toMatch(/\d{6}/)
})
