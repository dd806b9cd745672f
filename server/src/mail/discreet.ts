/**
 * [Note: discreet] Who reads over a shoulder learns from a person's inbox, notices and folders that
 * they make videos. An account that chose so gets mails and messages in the words below, and new
 * files under plain names (`recipes/plain-names.ts`). One place changes all mails, so that one that
 * is added later is changed as well. A mail still says what its reader must know: who opened it has
 * chosen to read it.
 */
import { BRAND_LINE } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** What stands in the list of an inbox, and on a locked screen. */
const SUBJECT = 'A message for you'

/** The same on devices, for each kind of news. */
export const DISCREET_TITLE = 'Something is waiting for you'

/** The mail without the name of the product, under a subject that says nothing of its contents. */
export function discreetMail(mail: OutgoingMail): OutgoingMail {
  return {
    ...mail,
    subject: SUBJECT,
    text: unnamed(mail.text),
    html: unnamed(mail.html.replace(BRAND_LINE, '')),
  }
}

/** 'Log in to Onecut' is 'Log in', 'your Onecut account' is 'your account'. */
function unnamed(text: string): string {
  return text.replaceAll(/ (?:to|in|with) Onecut\b/g, '').replaceAll(/\bOnecut /g, '')
}
