import { linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** The mail after a request to delete the account: until when signing in keeps it. */
export function deletionMail(facts: {
  to: string
  deletesAt: Date
  logInUrl: string
}): OutgoingMail {
  const title = 'Your account will be deleted'
  const lead = `You asked us to delete your Onecut account. It will be deleted on ${dayOf(facts.deletesAt)}.`
  const how = 'To keep it, log in before then. Nothing else is needed.'
  const button = 'Log in and keep the account'
  return {
    to: facts.to,
    subject: 'Your Onecut account will be deleted',
    text: [title, '', lead, how, '', `${button}: ${facts.logInUrl}`, '', NOT_YOU, ''].join('\n'),
    html: page(
      title,
      [paragraph(lead), paragraph(how), linkButton(button, facts.logInUrl)],
      NOT_YOU,
    ),
  }
}

/** The mail to a person who has come back in time. */
export function keptMail({ to }: { to: string }): OutgoingMail {
  const title = 'Your account stays'
  const lead = 'You logged in, so your Onecut account will not be deleted.'
  const billing = 'A subscription that was cancelled with it stays cancelled until you keep it.'
  const again = 'You can delete the account at any time in your account settings.'
  return {
    to,
    subject: 'Your Onecut account stays',
    text: [title, '', lead, billing, '', again, ''].join('\n'),
    html: page(title, [paragraph(lead), paragraph(billing)], again),
  }
}

const NOT_YOU = 'If this was not you, log in, and then sign out all other devices in your account.'

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
