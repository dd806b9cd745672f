import { expect, it } from 'vitest'
import { page, paragraph, withSupport } from '#server/mail/mail-page.ts'

const mail = {
  to: 'sam@example.com',
  subject: 'Hello',
  text: 'Hello\n',
  html: page('Hello', [paragraph('Hello')], 'Foot'),
}

it('LIF-05 a mail ends with the address for questions that the operator set', () => {
  const { text, html, ...rest } = withSupport(mail, 'help@example.com')
  expect(rest).toEqual({ to: mail.to, subject: mail.subject })
  expect(text).toBe('Hello\n\nQuestions? Write to help@example.com.\n')
  expect(html.indexOf('Questions? Write to help@example.com.')).toBeGreaterThan(
    html.indexOf('Foot'),
  )
  expect(html.match(/<\/html>/g)).toHaveLength(1)
  expect(html.endsWith('</html>')).toBe(true)
  expect(withSupport(mail, null)).toEqual(mail)
})
