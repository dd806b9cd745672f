import { expect, it } from 'vitest'
import { catalogue } from '#recipes/presets.ts'
import * as accountMails from '#server/mail/account-mail.ts'
import { DISCREET_TITLE, discreetMail } from '#server/mail/discreet.ts'
import * as noticeMails from '#server/mail/notice-mails.ts'
import * as paymentMails from '#server/mail/payment-mails.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { reportReceiptMail } from '#server/mail/report-mails.ts'
import { noAccountMail, signInMail } from '#server/mail/sign-in-mail.ts'
import { goingFilesMail } from '#server/mail/storage-mail.ts'

const to = 'sam@example.com'
const origin = 'https://studio.example'
const url = `${origin}/page`
const at = new Date('2026-11-29T12:00:00Z')
const notice = { to, origin, unsubscribeUrl: `${origin}/unsubscribe` }
const paid = { amountCents: 1000, currency: 'usd', receiptNumber: 'R-1', coinAmount: 1000 }

/** One call for each function of the modules; a new function is missing here until it has one. */
const accountCalls: Readonly<Record<keyof typeof accountMails, OutgoingMail>> = {
  deletionMail: accountMails.deletionMail({ to, deletesAt: at, logInUrl: url }),
  keptMail: accountMails.keptMail({ to }),
  newDeviceMail: accountMails.newDeviceMail({ to, deviceName: null, at, accountUrl: url }),
  passkeyAddedMail: accountMails.passkeyAddedMail({ to, name: 'Phone', accountUrl: url }),
  passkeyRemovedMail: accountMails.passkeyRemovedMail({ to, name: 'Phone', accountUrl: url }),
}
const noticeCalls: Readonly<Record<keyof typeof noticeMails, OutgoingMail>> = {
  editsReadyMail: noticeMails.editsReadyMail(notice, {
    ready: 2,
    failed: 1,
    orderId: null,
    names: [],
  }),
  reviewWaitsMail: noticeMails.reviewWaitsMail(notice, { edits: 2, keptDays: 30, names: [] }),
  uploadWaitsMail: noticeMails.uploadWaitsMail(notice, { uploads: 1, keptDays: 30, names: [] }),
  trialEndsMail: noticeMails.trialEndsMail(notice, { endsAt: at }),
  tokensExpireMail: noticeMails.tokensExpireMail(notice, { tokens: 5, endsAt: at }),
}
const paymentCalls: Readonly<Record<keyof typeof paymentMails, OutgoingMail>> = {
  purchaseMail: paymentMails.purchaseMail({ to, origin }, { ...paid, forOrder: { kind: 'kept' } }),
  monthPaidMail: paymentMails.monthPaidMail(
    { to, origin },
    { ...paid, isFirst: true, renewsAt: at },
  ),
  subscriptionCancelledMail: paymentMails.subscriptionCancelledMail(
    { to, origin },
    { id: 'an-id', endsAt: at },
  ),
  subscriptionResumedMail: paymentMails.subscriptionResumedMail(
    { to, origin },
    { id: 'an-id', renewsAt: at },
  ),
  paymentProblemMail: paymentMails.paymentProblemMail(
    { to, origin },
    { id: 'an-id', usableUntil: at },
  ),
  subscriptionEndedMail: paymentMails.subscriptionEndedMail({ to, origin }),
  refundMail: paymentMails.refundMail(
    { to, origin },
    { cents: 100, currency: 'usd', receiptNumber: 'R-1' },
  ),
  refundFailedMail: paymentMails.refundFailedMail(
    { to, origin },
    { cents: 100, currency: 'usd', receiptNumber: 'R-1', isTriedAgain: true },
  ),
}
const report = {
  contact: to,
  receiptNumber: 'N-1',
  receivedAt: at,
  relation: 'depicted' as const,
}
const others: Readonly<Record<string, OutgoingMail>> = {
  signUp: signInMail({ to, purpose: 'signup', trial: 'later', url, code: '123456', minutes: 10 }),
  logIn: signInMail({ to, purpose: 'login', trial: 'none', url, code: '123456', minutes: 10 }),
  noAccountMail: noAccountMail({ to, signUpUrl: url }),
  goingFilesMail: goingFilesMail({ to, videos: 1, edits: 2, firstGoesAt: at, libraryUrl: url }),
  reportReceiptMail: reportReceiptMail(report),
}

it.each(Object.entries({ ...accountCalls, ...noticeCalls, ...paymentCalls, ...others }))(
  'PHO-05 %s says neither the product nor an edit, and its subject nothing',
  (_, mail) => {
    const { subject, text, html, ...rest } = discreetMail(mail)
    expect(subject).toBe('A message for you')
    const presetWords = catalogue.flatMap(({ slug, name }) => [slug, name])
    for (const word of ['Onecut', ...presetWords])
      expect(`${text}${html}${DISCREET_TITLE}`.toLowerCase()).not.toContain(word.toLowerCase())
    // What it leads to stays, and how its like is ended.
    const addresses = (all: string) => all.match(/https:\/\/[^\s"<]+/g)
    expect(addresses(text)).toEqual(addresses(mail.text))
    expect(addresses(html)).toEqual(addresses(mail.html))
    expect(rest.unsubscribeUrl).toBe(mail.unsubscribeUrl)
    expect(text).not.toMatch(/ {2}[a-z]| [.,]/)
  },
)
