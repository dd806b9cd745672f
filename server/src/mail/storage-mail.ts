import { linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** The mail before files are deleted: how many, and when the first of them goes. No names. */
export function goingFilesMail(facts: {
  to: string
  videos: number
  edits: number
  firstGoesAt: Date
  libraryUrl: string
}): OutgoingMail {
  const title = 'Files will be deleted soon'
  const day = facts.firstGoesAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const what = [
    facts.edits === 0 ? '' : counted(facts.edits, 'finished edit'),
    facts.videos === 0 ? '' : counted(facts.videos, 'uploaded video'),
  ]
    .filter((text) => text !== '')
    .join(' and ')
  const lead = `From ${day} on, the server deletes the files of ${what}, because the time is over for which it keeps them.`
  const how =
    'Download what you want to keep before then. Your library says beside each edit when its files go.'
  const button = 'Open your library'
  return {
    to: facts.to,
    subject: 'Files in your Onecut account will be deleted soon',
    text: [title, '', lead, how, '', `${button}: ${facts.libraryUrl}`, ''].join('\n'),
    html: page(
      title,
      [paragraph(lead), paragraph(how), linkButton(button, facts.libraryUrl)],
      null,
    ),
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
