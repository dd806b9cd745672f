import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { isLoopback, parseProxies } from './addresses.ts'

type Role = 'all' | 'api' | 'worker' | 'migrate'

/**
 * What the environment asks for, checked. Nothing is required: the defaults run everything on this
 * machine.
 */
export interface Settings {
  readonly role: Role
  readonly host: string
  readonly port: number
  /** Scheme, host and port that people type; no slash at the end. */
  readonly publicOrigin: string
  /** Absolute. */
  readonly dataDir: string
  /** Null: the embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | null
  readonly smtp: { readonly url: string; readonly from: string } | null
  readonly recaptcha: { readonly siteKey: string; readonly secret: string } | null
  /** Null: payments are a test that moves no money. */
  readonly stripe: StripeSettings | null
  readonly ffmpegPath: string | null
  readonly ffprobePath: string | null
  /** Renders at once in one worker process. */
  readonly renderConcurrency: number
  /** Size of the parts of an upload, more where 10,000 of them would not hold the file. */
  readonly partSizeBytes: number
  /** Whose `X-Forwarded-For` is believed; empty unless set. */
  readonly trustedProxies: BlockList
  /** What the unfinished uploads of one account may take together. */
  readonly accountUploadBytes: number
  /** Answers that break the contract fail instead of being logged. */
  readonly checkAnswers: boolean
  /** False: edits cost nothing here, nothing can be bought, and no subscription is needed. */
  readonly takesPayments: boolean
  /** Payments that move no money may be taken where other people can reach the server. */
  readonly allowsTestPayments: boolean
  /** Mail can be read at /dev/mail: no SMTP, and only this machine can reach the server. */
  readonly hasLocalMailbox: boolean
}

/** The account that takes cards. */
interface StripeSettings {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  readonly priceId: string
  /** False of the keys of a sandbox, which move no money. */
  readonly movesMoney: boolean
}

/**
 * A setting that cannot be used; the message is one sentence with the variable, its value and what
 * is accepted.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings; throws `SettingError` at the first wrong one. Empty variables count as not
 * set.
 */
export function readSettings(env: Environment): Settings {
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const port = wholeNumber('PORT', text('PORT') ?? '4400', 0, 65_535)
  const host = text('HOST') ?? '127.0.0.1'
  const publicOrigin = origin(
    'ONECUT_PUBLIC_ORIGIN',
    text('ONECUT_PUBLIC_ORIGIN') ?? `http://127.0.0.1:${port}`,
  )
  const smtp = smtpOf(text('SMTP_URL'), text('MAIL_FROM'))
  return {
    role: role(text('ONECUT_ROLE') ?? 'all'),
    host,
    port,
    publicOrigin,
    smtp,
    dataDir: resolve(text('ONECUT_DATA_DIR') ?? '.onecut'),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    recaptcha: recaptchaOf(text('RECAPTCHA_SITE_KEY'), text('RECAPTCHA_SECRET')),
    stripe: stripeOf(text),
    ffmpegPath: text('FFMPEG_PATH'),
    ffprobePath: text('FFPROBE_PATH'),
    renderConcurrency: wholeNumber(
      'ONECUT_WORKERS',
      text('ONECUT_WORKERS') ?? String(Math.max(1, Math.floor(availableParallelism() / 2))),
      1,
      64,
    ),
    // 16 MiB: big enough for a gigabit line, small enough that a lost part costs a slow line
    // little. 5 MiB is the least of S3.
    partSizeBytes: wholeNumber(
      'ONECUT_PART_SIZE_BYTES',
      text('ONECUT_PART_SIZE_BYTES') ?? String(16 * 1024 ** 2),
      5 * 1024 ** 2,
      64 * 1024 ** 2,
    ),
    trustedProxies: trustedProxies(text('ONECUT_TRUSTED_PROXIES') ?? ''),
    // Four of the largest files that a device may send.
    accountUploadBytes:
      wholeNumber(
        'ONECUT_ACCOUNT_UPLOAD_GB',
        text('ONECUT_ACCOUNT_UPLOAD_GB') ?? '200',
        1,
        1_000_000,
      ) *
      1024 ** 3,
    checkAnswers: text('NODE_ENV') === 'test' || text('NODE_ENV') === 'development',
    takesPayments: trueOrFalse('ONECUT_PAYMENTS', text('ONECUT_PAYMENTS') ?? 'true'),
    allowsTestPayments: flag('ONECUT_ALLOW_TEST_PAYMENTS', text('ONECUT_ALLOW_TEST_PAYMENTS')),
    hasLocalMailbox:
      smtp === null && isLoopback(host) && isLoopback(new URL(publicOrigin).hostname),
  }
}

function role(value: string): Role {
  if (value === 'all' || value === 'api' || value === 'worker' || value === 'migrate') return value
  throw wrong('ONECUT_ROLE', value, 'all, api, worker or migrate')
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most)
    throw wrong(name, value, `a whole number from ${least} to ${most}`)
  return number
}

function trueOrFalse(name: string, value: string): boolean {
  if (value === 'true') return true
  if (value === 'false') return false
  throw wrong(name, value, 'true or false')
}

function flag(name: string, value: string | null): boolean {
  if (value === null || value === '0') return false
  if (value === '1') return true
  throw wrong(name, value, '1, or not set')
}

function origin(name: string, value: string): string {
  const accepted = 'an address such as https://edits.example.com, without a path'
  if (!URL.canParse(value)) throw wrong(name, value, accepted)
  const url = new URL(value)
  const isBare =
    (url.pathname === '/' || url.pathname === '') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  if (!isBare || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw wrong(name, value, accepted)
  return url.origin
}

function trustedProxies(value: string): BlockList {
  const proxies = parseProxies(value)
  if (proxies === null)
    throw wrong(
      'ONECUT_TRUSTED_PROXIES',
      value,
      'addresses or networks of your reverse proxies, such as 127.0.0.1,10.0.0.0/8',
    )
  return proxies
}

function databaseUrl(value: string | null): string | null {
  if (value === null || /^postgres(?:ql)?:\/\/./.test(value)) return value
  throw wrong(
    'DATABASE_URL',
    withoutPassword(value),
    'a PostgreSQL address such as postgres://user:password@host/onecut',
  )
}

function smtpOf(url: string | null, from: string | null): Settings['smtp'] {
  if (url === null) return null
  if (!/^smtps?:\/\/./.test(url) || !URL.canParse(url))
    throw wrong(
      'SMTP_URL',
      withoutPassword(url),
      'a mail server such as smtp://user:password@host:587',
    )
  if (from === null || !/^[^@\r\n]+@[^@\s]+$/.test(from))
    throw wrong(
      'MAIL_FROM',
      from ?? '',
      'the address that mail comes from, such as "Onecut <hello@example.com>", because SMTP_URL is set',
    )
  return { url, from }
}

function recaptchaOf(siteKey: string | null, secret: string | null): Settings['recaptcha'] {
  if (siteKey === null && secret === null) return null
  if (siteKey === null)
    throw wrong('RECAPTCHA_SITE_KEY', '', 'the site key that belongs to RECAPTCHA_SECRET')
  if (secret === null)
    throw wrong('RECAPTCHA_SECRET', '', 'the secret that belongs to RECAPTCHA_SITE_KEY')
  return { siteKey, secret }
}

/** All four, or none; both keys of one mode. No value is repeated: three of them are secrets. */
function stripeOf(text: (name: string) => string | null): StripeSettings | null {
  if (Object.keys(STRIPE_FORMS).every((name) => text(name) === null)) return null
  const read = (name: keyof typeof STRIPE_FORMS): string => {
    const value = text(name)
    const { form, accepted } = STRIPE_FORMS[name]
    if (value !== null && form.test(value)) return value
    throw wrong(name, value === null ? '' : '…', accepted)
  }
  const secretKey = read('STRIPE_SECRET_KEY')
  const publishableKey = read('STRIPE_PUBLISHABLE_KEY')
  const movesMoney = secretKey.includes('_live_')
  if (publishableKey.startsWith('pk_live_') !== movesMoney)
    throw wrong('STRIPE_PUBLISHABLE_KEY', '…', 'of the same mode as STRIPE_SECRET_KEY')
  const webhookSecret = read('STRIPE_WEBHOOK_SECRET')
  return { secretKey, publishableKey, webhookSecret, priceId: read('STRIPE_PRICE_ID'), movesMoney }
}

const STRIPE_FORMS = {
  STRIPE_SECRET_KEY: {
    form: /^[rs]k_(?:test|live)_\w+$/,
    accepted: 'a secret or restricted key that begins with sk_ or rk_',
  },
  STRIPE_PUBLISHABLE_KEY: {
    form: /^pk_(?:test|live)_\w+$/,
    accepted: 'a publishable key that begins with pk_',
  },
  STRIPE_WEBHOOK_SECRET: {
    form: /^whsec_\w+$/,
    accepted: 'the signing secret of the webhook endpoint, which begins with whsec_',
  },
  STRIPE_PRICE_ID: {
    form: /^price_\w+$/,
    accepted: 'the monthly price of the plan, which begins with price_',
  },
} as const

function wrong(name: string, value: string, accepted: string): SettingError {
  return new SettingError(`${name} is "${value}", but it must be ${accepted}.`)
}

// A wrong address is shown to find the mistake, not to leak what is in it.
function withoutPassword(value: string): string {
  return value.replace(/:[^:@/]*@/, ':…@')
}
