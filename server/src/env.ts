/**
 * Every setting of the environment: what it may be, what it is when it is left out, and the one
 * sentence that refuses it. One file, so that a wrong setting is found before anything starts, and
 * settings that need each other are read side by side.
 */
import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { isLoopback, parseProxies } from './addresses.ts'
import type { DriveScope } from '#server/drives/google.ts'
import {
  isAllowedHost,
  parseImportHosts,
  USUAL_IMPORT_HOSTS,
  USUAL_PUSH_HOSTS,
  type ImportHost,
} from '#server/net/import-hosts.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'

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
  /**
   * Where the documents that load scripts of others are, and nothing else; its host name is another
   * one than the public origin's. Null: these documents are of the public origin.
   */
  readonly frameOrigin: string | null
  /** Absolute. */
  readonly dataDir: string
  /** The file of the keys that sign; absolute. */
  readonly keysFile: string
  /** What would be in that file; null: the file has it. */
  readonly keys: string | null
  /** The bucket of videos and edits; null: they are on the disk, below `dataDir`. */
  readonly s3: S3Place | null
  /** The folder of attempts, and of copies of what is in a bucket; absolute. */
  readonly scratchDir: string
  /** What copies that are not in use may take there; null: half of what is free at the start. */
  readonly scratchBytes: number | null
  /** Null: the embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | null
  /** The same database for what needs a session, past a pooler; null: `databaseUrl` gives one. */
  readonly databaseSessionUrl: string | null
  readonly smtp: SmtpSettings | null
  /** Where a mail about each report goes; null: none is sent. */
  readonly operatorMail: string | null
  /** Where people ask questions; null: nowhere. */
  readonly supportMail: string | null
  /** Where holes are reported, as an address of `mailto:` or `https:`; null: nowhere. */
  readonly securityContact: string | null
  readonly recaptcha: { readonly siteKey: string; readonly secret: string } | null
  /** Null: payments are a test that moves no money. */
  readonly stripe: StripeSettings | null
  readonly ffmpegPath: string | null
  readonly ffprobePath: string | null
  /** Renders at once in one worker process. */
  readonly renderConcurrency: number
  /** Edits of videos from this length on may be made by several workers, in segments. */
  readonly divideFromMs: number
  /** About the length of a segment. */
  readonly segmentMs: number
  /** Size of the parts of an upload, more where 10,000 of them would not hold the file. */
  readonly partSizeBytes: number
  /** Whose `X-Forwarded-For` is believed; empty unless set. */
  readonly trustedProxies: BlockList
  /** A session ends this long after it began, whatever its use. */
  readonly sessionDays: number
  /** Null: no Google Drive can be connected. */
  readonly googleDrive: GoogleSettings | null
  /** From where links are imported; empty: no link is. */
  readonly importHosts: readonly ImportHost[]
  /** Where messages to devices go; empty: none are sent. */
  readonly pushHosts: readonly ImportHost[]
  /** The app at Dropbox whose chooser is shown; null: none is. */
  readonly dropboxAppKey: string | null
  /** What the files of one account may take together: videos, edits and unfinished uploads. */
  readonly accountStorageBytes: number
  /** What the files of an account's assets may take of it. */
  readonly accountAssetBytes: number
  /** Days after its last edit until a video is deleted; null: never. */
  readonly keepSourcesDays: number | null
  /** Days until the files of a finished edit are deleted; null: never. */
  readonly keepResultsDays: number | null
  /** What uploads and edits leave free on the disk for the database. */
  readonly diskFloorBytes: number
  /** Where `/metrics` is answered; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  /** All answers are checked, and fail when they break the contract; else a sample is logged. */
  readonly checkAnswers: boolean
  /** False: edits cost nothing here, nothing can be bought, and no subscription is needed. */
  readonly takesPayments: boolean
  /** Payments that move no money may be taken where other people can reach the server. */
  readonly allowsTestPayments: boolean
  /** Absolute. Null: the operator publishes nothing of their own on the front page. */
  readonly frontPageDir: string | null
  /** Mail can be read at /dev/mail: no SMTP, and only this machine can reach the server. */
  readonly hasLocalMailbox: boolean
}

/** Where mail goes. */
interface SmtpSettings {
  readonly url: string
  readonly from: string
  /** Where answers go; null: to `from`. */
  readonly replyTo: string | null
  /** False: mail may go out unencrypted. */
  readonly requiresTls: boolean
}

/** The project at Google whose name people see when they connect their drive. */
interface GoogleSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: DriveScope
  /** Null: videos are chosen on Google's page; else by Google's script, in a frame. */
  readonly pickerFrame: { readonly apiKey: string; readonly appId: string } | null
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
    text('ONECUT_PUBLIC_ORIGIN') ?? `http://localhost:${port}`,
  )
  const smtp = smtpOf(text)
  const hosts = hostsOf('ONECUT_IMPORT_HOSTS', text('ONECUT_IMPORT_HOSTS') ?? USUAL_IMPORT_HOSTS)
  return {
    role: role(text('ONECUT_ROLE') ?? 'all'),
    host,
    port,
    publicOrigin,
    frameOrigin: frameOriginOf(text('ONECUT_FRAME_ORIGIN'), { publicOrigin, host }),
    smtp,
    operatorMail: operatorMailOf(text('ONECUT_OPERATOR_MAIL'), smtp),
    supportMail: supportMailOf(text),
    securityContact: securityContactOf(text('ONECUT_SECURITY_CONTACT')),
    dataDir: resolve(text('ONECUT_DATA_DIR') ?? '.onecut'),
    databaseUrl: databaseUrl('DATABASE_URL', text('DATABASE_URL')),
    databaseSessionUrl: databaseSessionUrlOf(text),
    keysFile: keysFileOf(text),
    keys: keysOf(text),
    s3: s3Of(text, publicOrigin),
    ...scratchOf(text),
    recaptcha: recaptchaOf(text('RECAPTCHA_SITE_KEY'), text('RECAPTCHA_SECRET')),
    stripe: stripeOf(text),
    ffmpegPath: text('FFMPEG_PATH'),
    ffprobePath: text('FFPROBE_PATH'),
    ...rendersOf(text),
    partSizeBytes: partSize(text('ONECUT_PART_SIZE_BYTES')),
    trustedProxies: trustedProxies(text('ONECUT_TRUSTED_PROXIES') ?? ''),
    // Browsers keep no cookie for more than 400 days.
    sessionDays: wholeNumber('ONECUT_SESSION_DAYS', text('ONECUT_SESSION_DAYS') ?? '90', 1, 400),
    googleDrive: googleDriveOf(text),
    importHosts: hosts,
    pushHosts: hostsOf('ONECUT_PUSH_HOSTS', text('ONECUT_PUSH_HOSTS') ?? USUAL_PUSH_HOSTS),
    dropboxAppKey: dropboxAppKeyOf(text('DROPBOX_APP_KEY'), hosts),
    // Four of the largest files that a device may send.
    accountStorageBytes: gigabytes('ONECUT_ACCOUNT_STORAGE_GB', text, { usual: 200, least: 1 }),
    // They stay as long as the account, unlike videos.
    accountAssetBytes: gigabytes('ONECUT_ACCOUNT_ASSETS_GB', text, { usual: 10, least: 1 }),
    // Its logs alone grow to one gigabyte before they are recycled.
    diskFloorBytes: gigabytes('ONECUT_DISK_FLOOR_GB', text, { usual: 2, least: 0 }),
    keepSourcesDays: days('ONECUT_KEEP_SOURCES_DAYS', text),
    keepResultsDays: days('ONECUT_KEEP_RESULTS_DAYS', text),
    metrics: metricsOf(text),
    checkAnswers: text('NODE_ENV') === 'test' || text('NODE_ENV') === 'development',
    takesPayments: trueOrFalse('ONECUT_PAYMENTS', text('ONECUT_PAYMENTS') ?? 'true'),
    allowsTestPayments: flag('ONECUT_ALLOW_TEST_PAYMENTS', text('ONECUT_ALLOW_TEST_PAYMENTS')),
    frontPageDir: folderOrNull(text('ONECUT_FRONT_PAGE_DIR')),
    hasLocalMailbox:
      smtp === null && isLoopback(host) && isLoopback(new URL(publicOrigin).hostname),
  }
}

function rendersOf(
  text: (name: string) => string | null,
): Pick<Settings, 'renderConcurrency' | 'divideFromMs' | 'segmentMs'> {
  const [from, each] = [text('ONECUT_DIVIDE_FROM_S'), text('ONECUT_SEGMENT_S')]
  const usual = String(Math.max(1, Math.floor(availableParallelism() / 2)))
  return {
    renderConcurrency: wholeNumber('ONECUT_WORKERS', text('ONECUT_WORKERS') ?? usual, 1, 64),
    divideFromMs: wholeNumber('ONECUT_DIVIDE_FROM_S', from ?? '600', 4, 86_400) * 1000,
    segmentMs: wholeNumber('ONECUT_SEGMENT_S', each ?? '60', 2, 3600) * 1000,
  }
}

/** The figures are the operator's: only programs of this machine read them unless a host is set. */
function metricsOf(text: (name: string) => string | null): Settings['metrics'] {
  const [host, port] = [text('ONECUT_METRICS_HOST'), text('ONECUT_METRICS_PORT')]
  if (port !== null)
    return {
      host: host ?? '127.0.0.1',
      port: wholeNumber('ONECUT_METRICS_PORT', port, 0, 65_535),
    }
  if (host !== null)
    throw wrong('ONECUT_METRICS_HOST', host, 'left out where ONECUT_METRICS_PORT is')
  return null
}

function folderOrNull(value: string | null): string | null {
  return value === null ? null : resolve(value)
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

function gigabytes(
  name: string,
  text: (name: string) => string | null,
  { usual, least }: { readonly usual: number; readonly least: number },
): number {
  return wholeNumber(name, text(name) ?? String(usual), least, 1_000_000) * 1e9
}

/** Not set: for ever. */
function days(name: string, text: (name: string) => string | null): number | null {
  const value = text(name)
  return value === null ? null : wholeNumber(name, value, 1, 36_500)
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

/** The two names of this machine that browsers take for different sites. */
const OTHER_NAME: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '127.0.0.1': 'localhost',
}
/** Listening so, a server answers under both. */
const HOSTS_OF_BOTH = ['127.0.0.1', 'localhost', '0.0.0.0', '::']

/** Cookies belong to a host name, whatever its port, so the name has to be another one. */
function frameOriginOf(
  value: string | null,
  { publicOrigin, host }: Pick<Settings, 'publicOrigin' | 'host'>,
): string | null {
  const { protocol, hostname, port } = new URL(publicOrigin)
  if (value === 'none') return null
  if (value === null) {
    const other = OTHER_NAME[hostname]
    if (protocol !== 'http:' || other === undefined || !HOSTS_OF_BOTH.includes(host)) return null
    return `http://${other}${port === '' ? '' : `:${port}`}`
  }
  const frameOrigin = origin('ONECUT_FRAME_ORIGIN', value)
  const frame = new URL(frameOrigin)
  if (frame.hostname !== hostname && frame.protocol === protocol) return frameOrigin
  throw wrong(
    'ONECUT_FRAME_ORIGIN',
    value,
    `none, or an address that begins with ${protocol}// and has another host name than ONECUT_PUBLIC_ORIGIN`,
  )
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

/**
 * 16 MiB: big enough for a gigabit line, small enough that a lost part costs a slow line little.
 * 5 MiB is the least of S3.
 */
function partSize(value: string | null): number {
  const usual = String(16 * 1024 ** 2)
  return wholeNumber('ONECUT_PART_SIZE_BYTES', value ?? usual, 5 * 1024 ** 2, 64 * 1024 ** 2)
}

const HOSTS = {
  ONECUT_IMPORT_HOSTS: 'none, or names of hosts such as dropbox.com,cloud.example.com:8443',
  ONECUT_PUSH_HOSTS:
    'none, or names of hosts of push services such as fcm.googleapis.com,push.apple.com',
} as const

function hostsOf(name: keyof typeof HOSTS, value: string): readonly ImportHost[] {
  const hosts = parseImportHosts(value)
  if (hosts === null) throw wrong(name, value, HOSTS[name])
  return hosts
}

/** What is chosen there comes as a link of Dropbox. */
function dropboxAppKeyOf(key: string | null, hosts: readonly ImportHost[]): string | null {
  if (key === null) return null
  if (!/^[a-z0-9]{5,64}$/i.test(key))
    throw wrong('DROPBOX_APP_KEY', key, 'the app key of your app at Dropbox, not its secret')
  if (isAllowedHost(new URL('https://dl.dropboxusercontent.com'), hosts)) return key
  throw wrong(
    'DROPBOX_APP_KEY',
    key,
    'a key only where ONECUT_IMPORT_HOSTS has dropboxusercontent.com',
  )
}

/** What an operator should still set before people come: a sentence each, none on this machine. */
export function adviceOn(settings: AdvisedSettings): readonly string[] {
  const { publicOrigin, supportMail, operatorMail, smtp, frameOrigin } = settings
  if (isLoopback(new URL(publicOrigin).hostname)) return []
  const scripts = scriptsOfOthers(settings)
  // Without SMTP it is the local mailbox, which no alarm leaves.
  const isTold = operatorMail !== null && smtp !== null
  return [
    ...(supportMail === null
      ? [
          'People who come here find no address for their questions: set ONECUT_SUPPORT_MAIL to one that you read.',
        ]
      : []),
    ...(scripts.length > 0 && frameOrigin === null
      ? [
          `Scripts of ${scripts.join(', ')} run under the origin of the app, and one that turned bad could use the account of the person who sees it: give this server a second host name, and set ONECUT_FRAME_ORIGIN to it.`,
        ]
      : []),
    ...(isTold
      ? []
      : [
          'No mail tells of reports, nor that books of tokens and money differ: set ONECUT_OPERATOR_MAIL to an address that you read, and SMTP_URL.',
        ]),
  ]
}

type AdvisedSettings = Pick<
  Settings,
  | 'publicOrigin'
  | 'supportMail'
  | 'operatorMail'
  | 'smtp'
  | 'frameOrigin'
  | 'stripe'
  | 'googleDrive'
  | 'dropboxAppKey'
>

/** Whose scripts documents of this server load, as people call them. */
export function scriptsOfOthers({
  stripe,
  googleDrive,
  dropboxAppKey,
}: Pick<Settings, 'stripe' | 'googleDrive' | 'dropboxAppKey'>): readonly string[] {
  const pickerFrame = googleDrive?.pickerFrame ?? null
  return [
    ...(stripe === null ? [] : ['Stripe']),
    ...(pickerFrame === null ? [] : ['Google']),
    ...(dropboxAppKey === null ? [] : ['Dropbox']),
  ]
}

function supportMailOf(text: (name: string) => string | null): string | null {
  const value = text('ONECUT_SUPPORT_MAIL')
  // In a link of every page, so nothing that would add to the link.
  if (value === null || (value.length <= 254 && /^[\w.!#$*/^`{|}~+-]+@[a-z0-9.-]+$/i.test(value)))
    return value
  throw wrong('ONECUT_SUPPORT_MAIL', value, 'one mail address such as support@example.com')
}

function securityContactOf(value: string | null): string | null {
  if (value === null) return null
  if (/^[\w.+-]+@[a-z0-9.-]+$/i.test(value)) return `mailto:${value}`
  if (/^https:\/\/\S+$/.test(value) && URL.canParse(value)) return new URL(value).href
  throw wrong(
    'ONECUT_SECURITY_CONTACT',
    value,
    'one mail address such as security@example.com, or the https address of a page',
  )
}

function keysFileOf(text: (name: string) => string | null): string {
  const dataDir = text('ONECUT_DATA_DIR') ?? '.onecut'
  return resolve(text('ONECUT_KEYS_FILE') ?? join(dataDir, 'keys.json'))
}

/** They are as secret as what they sign, so that no refusal repeats them. */
function keysOf(text: (name: string) => string | null): string | null {
  const keys = text('ONECUT_KEYS')
  if (keys !== null && text('ONECUT_KEYS_FILE') !== null)
    throw wrong('ONECUT_KEYS', '…', 'left out where ONECUT_KEYS_FILE is set')
  return keys
}

function scratchOf(
  text: (name: string) => string | null,
): Pick<Settings, 'scratchDir' | 'scratchBytes'> {
  const given = text('ONECUT_SCRATCH_DIR')
  // It is emptied at a start: what else is in the folder that was given stays.
  const scratchDir = resolve(
    given === null
      ? join(text('ONECUT_DATA_DIR') ?? '.onecut', 'scratch')
      : join(given, 'onecut-scratch'),
  )
  if (text('ONECUT_SCRATCH_GB') === null) return { scratchDir, scratchBytes: null }
  if (text('S3_BUCKET') === null)
    throw wrong('ONECUT_SCRATCH_GB', text('ONECUT_SCRATCH_GB') ?? '', 'left out without S3_BUCKET')
  return { scratchDir, scratchBytes: gigabytes('ONECUT_SCRATCH_GB', text, { usual: 0, least: 0 }) }
}

const S3_SETTINGS = {
  S3_ENDPOINT: 'shown',
  S3_PUBLIC_ENDPOINT: 'shown',
  S3_REGION: 'shown',
  S3_FORCE_PATH_STYLE: 'shown',
  S3_CHECKSUMS: 'shown',
  S3_ACCESS_KEY_ID: 'secret',
  S3_SECRET_ACCESS_KEY: 'secret',
} as const

/** Both keys, or no bucket. The keys are never repeated. */
function s3Of(text: (name: string) => string | null, publicOrigin: string): S3Place | null {
  const bucket = text('S3_BUCKET')
  if (bucket === null) {
    for (const [name, kind] of Object.entries(S3_SETTINGS)) {
      const value = text(name)
      if (value !== null)
        throw wrong(name, kind === 'secret' ? '…' : value, 'left out without S3_BUCKET')
    }
    return null
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw wrong('S3_BUCKET', bucket, 'the name of a bucket, such as onecut-files')
  const endpoint = s3Origin('S3_ENDPOINT', text)
  const place = {
    bucket,
    endpoint,
    publicEndpoint: s3Origin('S3_PUBLIC_ENDPOINT', text),
    region: s3Region(text('S3_REGION')),
    forcePathStyle: trueOrFalse(
      'S3_FORCE_PATH_STYLE',
      text('S3_FORCE_PATH_STYLE') ?? String(endpoint !== null),
    ),
    accessKeyId: s3Key('S3_ACCESS_KEY_ID', text),
    secretAccessKey: s3Key('S3_SECRET_ACCESS_KEY', text),
    checksums: s3Checksums(text('S3_CHECKSUMS') ?? (endpoint === null ? 'checksum' : 'payload')),
  }
  const shown = place.publicEndpoint ?? endpoint
  if (publicOrigin.startsWith('https:') && shown?.startsWith('http:') === true)
    throw wrong(
      place.publicEndpoint === null ? 'S3_ENDPOINT' : 'S3_PUBLIC_ENDPOINT',
      shown,
      'an https address, or S3_PUBLIC_ENDPOINT has to be one: pages of https send nothing to http',
    )
  return place
}

function s3Origin(
  name: 'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT',
  text: (name: string) => string | null,
): string | null {
  const value = text(name)
  return value === null ? null : origin(name, value)
}

function s3Region(value: string | null): string {
  if (value === null) return 'us-east-1'
  if (/^[a-z0-9-]{1,64}$/.test(value)) return value
  throw wrong('S3_REGION', value, 'a region such as eu-central-1')
}

function s3Key(
  name: 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY',
  text: (name: string) => string | null,
): string {
  const value = text(name)
  if (value !== null && /^[\x21-\x7e]{1,256}$/.test(value)) return value
  throw wrong(name, value === null ? '' : '…', 'one of the two keys of S3_BUCKET')
}

function s3Checksums(value: string): S3Place['checksums'] {
  if (value === 'checksum' || value === 'payload') return value
  throw wrong('S3_CHECKSUMS', value, 'checksum or payload')
}

function databaseUrl(name: string, value: string | null): string | null {
  if (value === null || /^postgres(?:ql)?:\/\/./.test(value)) return value
  throw wrong(
    name,
    withoutPassword(value),
    'a PostgreSQL address such as postgres://user:password@host/onecut',
  )
}

function databaseSessionUrlOf(text: (name: string) => string | null): string | null {
  const value = databaseUrl('DATABASE_SESSION_URL', text('DATABASE_SESSION_URL'))
  if (value !== null && text('DATABASE_URL') === null)
    throw wrong('DATABASE_SESSION_URL', withoutPassword(value), 'left out where DATABASE_URL is')
  return value
}

function smtpOf(text: (name: string) => string | null): Settings['smtp'] {
  const [url, from] = [text('SMTP_URL'), text('MAIL_FROM')]
  const allowsPlain = flag('ONECUT_ALLOW_PLAIN_SMTP', text('ONECUT_ALLOW_PLAIN_SMTP'))
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
  // What stays on this machine crosses no network, and no certificate names 127.0.0.1.
  const replyTo = supportMailOf(text)
  return { url, from, replyTo, requiresTls: !allowsPlain && !isLoopback(new URL(url).hostname) }
}

/** The local mailbox takes mail to any address. */
function operatorMailOf(given: string | null, smtp: Settings['smtp']): string | null {
  if (given === null) return smtp === null ? 'operator@onecut.invalid' : null
  if (/^[^@\s,<>]+@[^@\s,<>]+$/.test(given)) return given
  throw wrong('ONECUT_OPERATOR_MAIL', given, 'one address, such as reports@example.com')
}

function recaptchaOf(siteKey: string | null, secret: string | null): Settings['recaptcha'] {
  if (siteKey === null && secret === null) return null
  if (siteKey === null)
    throw wrong('RECAPTCHA_SITE_KEY', '', 'the site key that belongs to RECAPTCHA_SECRET')
  if (secret === null)
    throw wrong('RECAPTCHA_SECRET', '', 'the secret that belongs to RECAPTCHA_SITE_KEY')
  return { siteKey, secret }
}

/** Both keys, or none. The secret is never repeated. */
function googleDriveOf(text: (name: string) => string | null): GoogleSettings | null {
  const clientId = text('GOOGLE_CLIENT_ID')
  const clientSecret = text('GOOGLE_CLIENT_SECRET')
  const scope = text('GOOGLE_DRIVE_SCOPE') ?? 'drive.file'
  if (scope !== 'drive.file' && scope !== 'drive.readonly')
    throw wrong('GOOGLE_DRIVE_SCOPE', scope, 'drive.file or drive.readonly')
  if (clientId === null && clientSecret === null) return null
  if (clientId === null || !/^[\w.-]{1,200}$/.test(clientId))
    throw wrong(
      'GOOGLE_CLIENT_ID',
      clientId ?? '',
      'the client id that belongs to GOOGLE_CLIENT_SECRET, which ends in .apps.googleusercontent.com',
    )
  if (clientSecret === null)
    throw wrong('GOOGLE_CLIENT_SECRET', '', 'the secret that belongs to GOOGLE_CLIENT_ID')
  return { clientId, clientSecret, scope, pickerFrame: pickerFrameOf(text, clientId) }
}

/** The script of Google wants a key, and the number of the project, with which client ids begin. */
function pickerFrameOf(
  text: (name: string) => string | null,
  clientId: string,
): GoogleSettings['pickerFrame'] {
  const picker = text('GOOGLE_PICKER') ?? 'redirect'
  if (picker === 'redirect') return null
  const appId = /^(\d+)-/.exec(clientId)?.[1]
  if (picker !== 'frame' || appId === undefined)
    throw wrong(
      'GOOGLE_PICKER',
      picker,
      'redirect, or frame where GOOGLE_CLIENT_ID begins with the number of its project',
    )
  const apiKey = text('GOOGLE_API_KEY')
  if (apiKey !== null && /^[\w-]{1,200}$/.test(apiKey)) return { apiKey, appId }
  throw wrong('GOOGLE_API_KEY', apiKey ?? '', 'an API key of the project, for GOOGLE_PICKER=frame')
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
