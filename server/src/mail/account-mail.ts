import { linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** The mail after a request to delete the account: until when signing in keeps it. */
export function deletionMail(facts: {
  to: string
  deletesAt: Date
  logInUrl: string
}): OutgoingMail {
  const title = 'Your account will be deleted'
  const lead = `You asked us to delete your account. It will be deleted on ${dayOf(facts.deletesAt)}.`
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
  const lead = 'You logged in, so your account will not be deleted.'
  const billing = 'A subscription that was cancelled with it stays cancelled until you keep it.'
  const again = 'You can delete the account at any time in your account settings.'
  return {
    to,
    subject: 'Your Onecut account stays',
    text: [title, '', lead, billing, '', again, ''].join('\n'),
    html: page(title, [paragraph(lead), paragraph(billing)], again),
  }
}

/** The mail after a log-in in a browser that had not logged in before. */
export function newDeviceMail(facts: {
  to: string
  /** Null when it is not known. */
  deviceName: string | null
  at: Date
  /** The page with the devices. It asks to log in, and only a press there signs a device out. */
  accountUrl: string
}): OutgoingMail {
  const title = 'A new device logged in'
  const day = facts.at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const time = facts.at.toISOString().slice(11, 16)
  const device = facts.deviceName ?? 'A device that we do not know'
  const lead = `${device} logged in to your account on ${day} at ${time} UTC.`
  const fine = 'If this was you, there is nothing to do.'
  const button = 'This was not me'
  const how =
    'The button opens your account, where you sign out all other devices and remove passkeys that are not yours.'
  return {
    to: facts.to,
    subject: 'A new device logged in to your Onecut account',
    text: [title, '', lead, fine, '', `${button}: ${facts.accountUrl}`, '', how, ''].join('\n'),
    html: page(
      title,
      [paragraph(lead), paragraph(fine), linkButton(button, facts.accountUrl)],
      how,
    ),
  }
}

/** What a mail about a passkey tells. */
interface PasskeyFacts {
  readonly to: string
  readonly name: string
  readonly accountUrl: string
}

/** The mail after a passkey was added, so that a thief adds none unseen. */
export function passkeyAddedMail({ to, name, accountUrl }: PasskeyFacts): OutgoingMail {
  return passkeyMail({
    to,
    accountUrl,
    subject: 'A passkey was added to your Onecut account',
    title: 'A passkey was added',
    lead: `The passkey "${name}" can now log in to your account.`,
    notYou: 'If this was not you, remove it in your account, and then sign out all other devices.',
  })
}

/** The mail after a passkey was removed. */
export function passkeyRemovedMail({ to, name, accountUrl }: PasskeyFacts): OutgoingMail {
  return passkeyMail({
    to,
    accountUrl,
    subject: 'A passkey was removed from your Onecut account',
    title: 'A passkey was removed',
    lead: `The passkey "${name}" no longer logs in to your account. Logging in by email still works.`,
    notYou: NOT_YOU,
  })
}

function passkeyMail(facts: {
  to: string
  accountUrl: string
  subject: string
  title: string
  lead: string
  notYou: string
}): OutgoingMail {
  const { to, subject, title, lead, accountUrl, notYou } = facts
  const button = 'Open your account'
  return {
    to,
    subject,
    text: [title, '', lead, '', `${button}: ${accountUrl}`, '', notYou, ''].join('\n'),
    html: page(title, [paragraph(lead), linkButton(button, accountUrl)], notYou),
  }
}

const NOT_YOU = 'If this was not you, log in, and then sign out all other devices in your account.'

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
