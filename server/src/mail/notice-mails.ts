import { JOB_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { escapeHtml, linkButton, page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** Whom a notice goes to, the origin of the addresses in it, and where such mails are ended. */
export interface NoticeTo {
  readonly to: string
  readonly origin: string
  readonly unsubscribeUrl: string
}

/**
 * Names of the videos that a notice is about, as their owner gave them; none where the account does
 * not want them in mails.
 */
export type NoticeNames = readonly string[]

/** A notice as a mail, and the page that it leads to. */
export interface NoticeMail extends OutgoingMail {
  /** Path of that page. */
  readonly path: string
}

/** How the edits of a job ended; cancelled ones do not count. */
interface EditsEnded {
  readonly ready: number
  readonly failed: number
  /** Whose page has them; null where nothing was ordered, as on a server without prices. */
  readonly orderId: string | null
  readonly names: NoticeNames
}

/**
 * The mails that tell what happened while its reader was away. They name no edit, and a video only
 * where its owner wants that: a mail is read over a shoulder. Its subject, which shows on a locked
 * screen, never does.
 */
export function editsReadyMail(
  notice: NoticeTo,
  { ready, failed, orderId, names }: EditsEnded,
): NoticeMail {
  const subject = subjectOf(ready, failed)
  const of = names.length === 0 ? '' : ` of ${namesWords(names)}`
  const lead =
    ready === 0 ? [] : [`${counted(ready, 'edit')}${of || ' of your order'} can be downloaded now.`]
  const lost =
    failed === 0
      ? []
      : [
          `${counted(failed, 'edit')}${of} could not be made, and the tokens for ${failed === 1 ? 'it' : 'them'} are back in your wallet. Your library says why, and lets you try again.`,
        ]
  const place =
    orderId === null
      ? { label: 'Open my library', path: '/edits' }
      : { label: 'Open my order', path: `/uploads/orders/${orderId}/checkout` }
  return compose(notice, subject, [...lead, ...lost], place)
}

function subjectOf(ready: number, failed: number): string {
  if (ready === 0) return 'Your order could not be completed'
  if (failed > 0) return `${ready} of ${ready + failed} edits are ready`
  return ready === 1 ? 'Your edit is ready' : 'Your edits are ready'
}

/**
 * The search for faces ended, and the edits go on only when their owner has looked at it;
 * `keptDays` is how long they wait, null for ever.
 */
export function reviewWaitsMail(
  notice: NoticeTo,
  {
    edits,
    keptDays,
    names,
  }: {
    readonly edits: number
    readonly keptDays: number | null
    readonly names: NoticeNames
  },
): NoticeMail {
  const end =
    keptDays === null
      ? []
      : [
          'Your library says by when. Without a look, the edit is cancelled then, and its tokens come back.',
        ]
  return compose(
    notice,
    edits === 1 ? 'An edit is waiting for you' : `${edits} edits are waiting for you`,
    [
      `${counted(edits, 'edit')} of ${names.length === 0 ? 'yours' : namesWords(names)} can go on when you have looked at what was found in the video.`,
      ...end,
    ],
    { label: 'Open my library', path: '/edits' },
  )
}

/** An upload has stood still for a day. */
export function uploadWaitsMail(
  notice: NoticeTo,
  {
    uploads,
    keptDays,
    names,
  }: {
    readonly uploads: number
    readonly keptDays: number
    readonly names: NoticeNames
  },
): NoticeMail {
  const [it, goes, its] = uploads === 1 ? ['it', 'goes', 'its'] : ['they', 'go', 'their']
  return compose(
    notice,
    uploads === 1 ? 'An upload is waiting for you' : `${uploads} uploads are waiting for you`,
    [
      `${counted(uploads, 'upload')}${names.length === 0 ? '' : ` of ${namesWords(names)}`} stopped more than a day ago. What has arrived is kept.`,
      `Open the app on the device that began, and ${it} ${goes} on where ${it} stopped. Without more of ${its} bytes, what has arrived is deleted ${keptDays} days after the last of them.`,
    ],
    { label: 'Continue uploading', path: '/uploads/new' },
  )
}

/** The last day of the free trial. */
export function trialEndsMail(notice: NoticeTo, { endsAt }: { readonly endsAt: Date }): NoticeMail {
  return compose(
    notice,
    'Your free trial ends tomorrow',
    [
      `Your free trial ends on ${timeWords(endsAt)}, and with it the free tokens that you have not spent.`,
      'Nothing is billed for it. To order afterwards, subscribe. Finished edits stay in your library.',
    ],
    { label: 'See what a subscription has', path: '/subscriptions/stripe/checkout' },
  )
}

/** Tokens that were not spent expire within three days; `endsAt` is when the first of them do. */
export function tokensExpireMail(
  notice: NoticeTo,
  { tokens, endsAt }: { readonly tokens: number; readonly endsAt: Date },
): NoticeMail {
  return compose(
    notice,
    'Tokens of yours expire in three days',
    [
      `${counted(tokens, 'token')} that you have not spent ${tokens === 1 ? 'expires' : 'expire'} from ${timeWords(endsAt)} on.`,
      'An order that is paid before keeps them. Your wallet shows which tokens expire when.',
    ],
    { label: 'Open my wallets', path: '/wallets' },
  )
}

function timeWords(at: Date): string {
  const day = at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day} at ${at.toISOString().slice(11, 16)} UTC`
}

function compose(
  { to, origin, unsubscribeUrl }: NoticeTo,
  subject: string,
  sentences: readonly string[],
  { label, path }: { readonly label: string; readonly path: string },
): NoticeMail {
  const url = origin + path
  const ending = 'Do not send me such mails'
  return {
    path,
    to,
    subject,
    unsubscribeUrl,
    text: [
      subject,
      '',
      ...sentences.flatMap((one) => [one, '']),
      `${label}: ${url}`,
      '',
      `${ending}: ${unsubscribeUrl}`,
      '',
    ].join('\n'),
    html: page(
      subject,
      [
        ...sentences.map(paragraph),
        linkButton(label, url),
        `<p style="margin:28px 0 0;font-size:14px;opacity:.75"><a href="${escapeHtml(unsubscribeUrl)}">${ending}</a></p>`,
      ],
      null,
    ),
  }
}

/** So many videos are named in one sentence. */
const NAMED_AT_MOST = 3

/** '"Beach day"', '"Beach day" and "Pool"', '"A", "B", "C" and 2 more videos'. */
function namesWords(names: NoticeNames): string {
  const named = names.slice(0, NAMED_AT_MOST).map(quoted)
  const rest = names.length - named.length
  const parts = rest === 0 ? named : [...named, `${rest} more ${rest === 1 ? 'video' : 'videos'}`]
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** Marks of direction and the like; joiners stay, which letters and emoji are written with. */
const UNSEEN = /(?![\u200C\u200D])\p{Cf}/gu

/** A name in one line, cut as on its card, without what would turn or hide the words around it. */
function quoted(name: string): string {
  const seen = name
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const letters = [...seen]
  const cut =
    letters.length > JOB_NAME_MAX_CHARACTERS
      ? `${letters.slice(0, JOB_NAME_MAX_CHARACTERS - 1).join('')}…`
      : seen
  return `"${cut}"`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
