import { WELCOME_TOKENS } from '#spec/numbers.ts'
import { escapeHtml, linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** The mail with the link and the six-digit code, for a first and for every later sign-in. */
export function signInMail(facts: {
  to: string
  purpose: 'signup' | 'login'
  /**
   * A new account gets tokens, unless the mailbox had an account before. `later`: its network has
   * begun so many trials today that this one begins without.
   */
  trial: 'begins' | 'none' | 'later'
  url: string
  code: string
  minutes: number
}): OutgoingMail {
  const isNew = facts.purpose === 'signup'
  const greeting = isNew ? 'Welcome to Onecut' : 'Welcome back'
  const lead = isNew
    ? `One tap and your account is ready${facts.trial === 'begins' ? WITH_TOKENS : ''}.`
    : 'One tap and you are in.'
  const later = facts.trial === 'later' ? [LATER] : []
  const button = isNew ? 'Confirm and sign in' : 'Log in to Onecut'
  const how = `Or enter this code on the page where you requested this email:`
  const limits = `The link and the code work once and expire after ${facts.minutes} minutes.`
  return {
    to: facts.to,
    subject: isNew ? 'Welcome to Onecut: confirm your address' : 'Your Onecut login',
    text: [
      greeting,
      '',
      lead,
      ...later.flatMap((one) => ['', one]),
      '',
      `${button}: ${facts.url}`,
      '',
      how,
      '',
      `    ${facts.code}`,
      '',
      limits,
      IGNORE,
      '',
    ].join('\n'),
    html: page(
      greeting,
      [
        paragraph(lead),
        ...later.map(paragraph),
        linkButton(button, facts.url),
        paragraph(how),
        `<p style="margin:8px 0 28px;font-size:40px;line-height:1.2;font-weight:700;letter-spacing:8px;font-family:ui-monospace,Menlo,Consolas,monospace">${escapeHtml(facts.code)}</p>`,
        paragraph(limits),
      ],
      IGNORE,
    ),
  }
}

/** The mail to an address without an account that was used to log in. */
export function noAccountMail(facts: { to: string; signUpUrl: string }): OutgoingMail {
  const greeting = 'No account yet'
  const lead =
    'We received a request to log in to Onecut with this address, probably from you. There is no account for it yet.'
  const button = 'Sign up for free'
  return {
    to: facts.to,
    subject: 'There is no Onecut account for this address yet',
    text: [greeting, '', lead, '', `${button}: ${facts.signUpUrl}`, '', IGNORE, ''].join('\n'),
    html: page(greeting, [paragraph(lead), linkButton(button, facts.signUpUrl)], IGNORE),
  }
}

const WITH_TOKENS = `, with ${WELCOME_TOKENS.toLocaleString('en-US')} tokens to get started`
const LATER =
  'It begins without trial tokens: so many trials began from your network today that no more can. To begin with them, do not use this email, and sign up again tomorrow or from another network.'
const IGNORE = 'If you did not request this, you can ignore this email.'
