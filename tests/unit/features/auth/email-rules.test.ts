import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { EMAIL_MESSAGES, emailProblem } from '#src/features/auth/email-rules.ts'

it('AUT-03 ordinary addresses pass, with a plus only for logging in', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(emailProblem(email, 'login')).toBeNull()
      expect(emailProblem(` ${email} `, 'signup')).toBe(
        email.includes('+') ? 'Email address cannot contain "+" character' : null,
      )
    }),
  )
  expect(emailProblem('a+b@example.com', 'signup')).toBe(
    'Email address cannot contain "+" character',
  )
  expect(emailProblem('a+b@example.com', 'login')).toBeNull()
})

it('AUT-03 what is no address is called so', () => {
  for (const wrong of [
    '',
    ' ',
    'creator',
    'a@b',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@exa mple.com',
    'a@-example.com',
    `${'a'.repeat(250)}@example.com`,
  ]) {
    expect(emailProblem(wrong, 'signup')).toBe('Invalid email address')
  }
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('@')),
      (text) => {
        expect(emailProblem(text, 'login')).toBe(EMAIL_MESSAGES.invalid)
      },
    ),
  )
})
