import { WITHDRAWAL_DAYS } from '#spec/numbers.ts'
import { linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/**
 * The mails about payments. Their words are neutral: a mail is read over a shoulder, and on a
 * locked screen its subject.
 */

/** Whom a mail goes to, and the origin of the addresses in it. */
export interface MailTo {
  readonly to: string
  readonly origin: string
}

/** What a purchase of tokens paid of the order that it was made for. */
export type ForOrder =
  | { readonly kind: 'none' }
  | { readonly kind: 'used'; readonly orderId: string }
  /** The order could not be paid with them. */
  | { readonly kind: 'kept' }

/** What was paid, as the person finds it again under 'Payments'. */
export interface PaidWords {
  readonly amountCents: number
  readonly currency: string
  readonly receiptNumber: string
  readonly coinAmount: number
}

const WITHDRAWAL = `Tokens of it that you do not use can be given back within ${WITHDRAWAL_DAYS} days: open your payments, and press 'Give Tokens Back'.`

/** Tokens were bought. */
export function purchaseMail(
  { to, origin }: MailTo,
  { forOrder, ...paid }: PaidWords & { readonly forOrder: ForOrder },
): OutgoingMail {
  const payments = { label: 'See my payments', url: `${origin}/payments` }
  switch (forOrder.kind) {
    case 'none':
      return compose(
        to,
        PAID,
        [paidSentence(paid), 'They are in your wallet.', WITHDRAWAL],
        payments,
      )
    case 'used':
      return compose(to, PAID, [paidSentence(paid), 'They were used for your order.'], {
        label: 'See my order',
        url: `${origin}/uploads/orders/${forOrder.orderId}/checkout`,
      })
    case 'kept':
      return compose(
        to,
        'Your tokens are in your wallet',
        [
          paidSentence(paid),
          'The order that they were for could not be paid with them, so they are in your wallet. They never expire.',
          WITHDRAWAL,
        ],
        payments,
      )
  }
}

/** A month of a subscription was paid; `renewsAt` is its end. */
export function monthPaidMail(
  { to, origin }: MailTo,
  {
    isFirst,
    renewsAt,
    ...paid
  }: PaidWords & { readonly isFirst: boolean; readonly renewsAt: Date },
): OutgoingMail {
  return compose(
    to,
    isFirst ? 'Your subscription has begun' : 'Your subscription was renewed',
    [
      paidSentence(paid),
      `The next month is paid on ${dateWords(renewsAt)}, unless you cancel before.`,
      WITHDRAWAL,
    ],
    { label: 'See my payments', url: `${origin}/payments` },
  )
}

/** A subscription ends with its month; `endsAt` is the end of what is paid. */
export function subscriptionCancelledMail(
  { to, origin }: MailTo,
  { id, endsAt }: { readonly id: string; readonly endsAt: Date },
): OutgoingMail {
  return compose(
    to,
    'Your subscription is cancelled',
    [
      `Your subscription ends on ${dateWords(endsAt)}. It is not renewed.`,
      'You can order and spend your tokens until then. You can also change your mind until then.',
    ],
    { label: 'See my subscription', url: `${origin}/subscriptions/${id}` },
  )
}

/** A cancellation was taken back; `renewsAt` is the end of what is paid. */
export function subscriptionResumedMail(
  { to, origin }: MailTo,
  { id, renewsAt }: { readonly id: string; readonly renewsAt: Date },
): OutgoingMail {
  return compose(
    to,
    'Your subscription goes on',
    [
      'Your cancellation is taken back.',
      `The next month is paid on ${dateWords(renewsAt)}, unless you cancel before.`,
    ],
    { label: 'See my subscription', url: `${origin}/subscriptions/${id}` },
  )
}

/** A month was not paid. `usableUntil` is null once tokens can no longer be spent. */
export function paymentProblemMail(
  { to, origin }: MailTo,
  { id, usableUntil }: { readonly id: string; readonly usableUntil: Date | null },
): OutgoingMail {
  const consequence =
    usableUntil === null
      ? 'You can order and spend your tokens again when it has gone through.'
      : `You can order and spend your tokens until ${dateWords(usableUntil)}. After that you can do so again when the payment has gone through.`
  return compose(
    to,
    'A payment did not go through',
    ['The payment for your subscription did not go through.', consequence],
    { label: 'See my subscription', url: `${origin}/subscriptions/${id}` },
  )
}

/** A subscription is over. */
export function subscriptionEndedMail({ to, origin }: MailTo): OutgoingMail {
  return compose(
    to,
    'Your subscription has ended',
    [
      'Your subscription has ended, and nothing more is billed for it.',
      'Tokens that have not expired stay in your wallet. You can spend them when you subscribe again.',
    ],
    { label: 'See my subscriptions', url: `${origin}/subscriptions` },
  )
}

/** Money of a payment goes back. */
export function refundMail(
  { to, origin }: MailTo,
  {
    cents,
    currency,
    receiptNumber,
  }: { readonly cents: number; readonly currency: string; readonly receiptNumber: string },
): OutgoingMail {
  const money = moneyWords(cents, currency)
  return compose(
    to,
    'Your refund is on its way',
    [
      `${money} of your payment with the receipt ${receiptNumber} goes back to where it came from. Your bank may take a few days.`,
      'The tokens for it have left your wallet.',
    ],
    { label: 'See my payments', url: `${origin}/payments` },
  )
}

/** A refund came back, so that its person does not get it. */
export function refundFailedMail(
  { to, origin }: MailTo,
  {
    cents,
    currency,
    receiptNumber,
    isTriedAgain,
  }: {
    readonly cents: number
    readonly currency: string
    readonly receiptNumber: string
    readonly isTriedAgain: boolean
  },
): OutgoingMail {
  const money = moneyWords(cents, currency)
  return compose(
    to,
    'Your refund did not go through',
    [
      `${money} of your payment with the receipt ${receiptNumber} could not go back to where it came from.`,
      isTriedAgain ? 'It is tried again.' : 'The tokens for it are back in your wallet.',
    ],
    { label: 'See my payments', url: `${origin}/payments` },
  )
}

const PAID = 'Your payment went through'

function paidSentence({ amountCents, currency, receiptNumber, coinAmount }: PaidWords): string {
  const tokens = `${coinAmount.toLocaleString('en-US')} tokens`
  return `You paid ${moneyWords(amountCents, currency)} for ${tokens}. The receipt is ${receiptNumber}.`
}

function moneyWords(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

function compose(
  to: string,
  subject: string,
  sentences: readonly string[],
  { label, url }: { readonly label: string; readonly url: string },
): OutgoingMail {
  return {
    to,
    subject,
    text: [subject, '', ...sentences.flatMap((one) => [one, '']), `${label}: ${url}`, ''].join(
      '\n',
    ),
    html: page(subject, [...sentences.map(paragraph), linkButton(label, url)], null),
  }
}

/** 'November 24, 2026', in UTC. */
function dateWords(date: Date): string {
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
