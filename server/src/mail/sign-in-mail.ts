import { WELCOME_TOKENS } from '#spec/numbers.ts'
import type { OutgoingMail } from './port.ts'

/** The mail with the link and the six-digit code, for a first and for every later sign-in. */
export function signInMail(facts: {
  to: string
  purpose: 'signup' | 'login'
  url: string
  code: string
  minutes: number
}): OutgoingMail {
  const isNew = facts.purpose === 'signup'
  const greeting = isNew ? 'Welcome to Onecut' : 'Welcome back'
  const lead = isNew
    ? `One tap and your account is ready, with ${WELCOME_TOKENS.toLocaleString('en-US')} tokens to get started.`
    : 'One tap and you are in.'
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
    html: page(greeting, [
      paragraph(lead),
      `<p style="margin:28px 0"><a href="${escapeHtml(facts.url)}" style="${buttonStyle}">${escapeHtml(button)}</a></p>`,
      paragraph(how),
      `<p style="margin:8px 0 28px;font-size:40px;line-height:1.2;font-weight:700;letter-spacing:8px;font-family:ui-monospace,Menlo,Consolas,monospace">${escapeHtml(facts.code)}</p>`,
      paragraph(limits),
    ]),
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
    html: page(greeting, [
      paragraph(lead),
      `<p style="margin:28px 0"><a href="${escapeHtml(facts.signUpUrl)}" style="${buttonStyle}">${button}</a></p>`,
    ]),
  }
}

const IGNORE = 'If you did not request this, you can ignore this email.'
const buttonStyle =
  'display:inline-block;padding:14px 24px;border-radius:10px;background:#4f46e5;color:#ffffff;font-weight:600;text-decoration:none'

// Mail programs drop style sheets, so every style is inline; colours are left to the program's
// light or dark theme.
function page(title: string, blocks: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:32px 20px;font-family:Inter,system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5">',
    `<div style="max-width:480px;margin:0 auto"><p style="margin:0 0 24px;font-weight:700;font-size:18px">Onecut</p><h1 style="margin:0 0 12px;font-size:24px">${escapeHtml(title)}</h1>`,
    ...blocks,
    `<p style="margin:28px 0 0;font-size:14px;opacity:.75">${IGNORE}</p></div></body></html>`,
  ].join('\n')
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
