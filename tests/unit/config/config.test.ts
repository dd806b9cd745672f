import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { tubeCutOptions } from '#recipes/tube-cut/options.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { sourceFiles } from '#scripts/source-files.ts'
import { HELP_SLUGS, type HelpSlug } from '#src/config/help-pages.ts'
import type * as enums from '#src/config/enums.ts'
import {
  CHARGE_KINDS,
  EXTERNAL_AUTH_PROVIDERS,
  MEDIA_KINDS,
  OUTPUT_KINDS,
  PRICING_KINDS,
  TASK_STATUSES,
  USAGE_UNITS,
  WALLET_KINDS,
} from '#src/config/enums.ts'
import { readEnv } from '#src/config/env.ts'
import * as limits from '#spec/numbers.ts'
import { hasPermission, PERMISSION_RESOURCES, PERMISSIONS } from '#src/config/permissions.ts'
import type { components } from '#openapi/schema.gen.ts'

type Schemas = components['schemas']
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

it("APP-19 the permissions are the specification's", () => {
  expect(Object.values(PERMISSIONS).toSorted()).toEqual([
    'create:fundSourceWalletCoinTransactions',
    'create:mediaAssets',
    'create:orders',
    'create:uploadRequestDropboxChooser',
    'create:uploadRequestGoogleDrivePicker',
    'create:walletSubscriptions',
    'read:mediaAssets',
    'read:referralCodes',
    'read:walletSubscriptions',
  ])
  expect(PERMISSION_RESOURCES).toHaveLength(10)
  expect(hasPermission(['create:orders'], PERMISSIONS.createOrders)).toBe(true)
  expect(hasPermission(['create:ordersX', 'read:orders'], PERMISSIONS.createOrders)).toBe(false)
  const sameAsContract: Same<
    (typeof PERMISSIONS)[keyof typeof PERMISSIONS],
    Schemas['Permission']
  > = true
  expect(sameAsContract).toBe(true)
})

it("APP-20 the closed lists are the specification's and agree with the contract", () => {
  expect([
    MEDIA_KINDS,
    WALLET_KINDS,
    EXTERNAL_AUTH_PROVIDERS,
    TASK_STATUSES,
    OUTPUT_KINDS,
    PRICING_KINDS,
    USAGE_UNITS,
    CHARGE_KINDS,
  ]).toEqual([
    ['video', 'image', 'audio', 'unsupported'],
    ['standard', 'trial', 'brand-ambassador'],
    ['google-oauth'],
    ['created', 'started', 'succeeded', 'failed', 'canceled'],
    ['download-button', 'text'],
    ['per-unit', 'usage-based'],
    ['source-video-seconds', 'source-video-minutes'],
    ['media-job-task', 'custom'],
  ])
  const agree: [
    Same<enums.TaskStatus, Schemas['MediaJobTaskStatus']>,
    Same<enums.WalletKind, Schemas['WalletKind']>,
    Same<enums.Profession, Schemas['Profession']>,
    Same<enums.OutputKind, Schemas['Output']['kind']>,
    Same<enums.UploadProvider, Schemas['UploadProvider']>,
    Same<enums.MediaKind, NonNullable<Schemas['MediaAsset']['format']>['slug']>,
    Same<enums.ChargeKind, Schemas['LineItem']['orderedProductVariant']['productSlug']>,
    Same<enums.PricingKind, Schemas['LineItemPricing']['pricingStrategySlug']>,
  ] = [true, true, true, true, true, true, true, true]
  expect(agree.every(Boolean)).toBe(true)
})

it("APP-21 payments are on only when the build flag equals 'true'; our own builds do not set it", () => {
  expect(
    ['true', 'TRUE', '1', 'false', '', true].map(
      (flag) => readEnv({ VITE_PAYMENTS_ENABLED: flag }).paymentsEnabled,
    ),
  ).toEqual([true, false, false, false, false, false])
  expect(readEnv({}).paymentsEnabled).toBe(true)
  expect(limits.THREE_SECOND_INTERVAL_MS).toBe(3000)
})

it('CON-01 LEG-03 one module holds every number of the specification', () => {
  expect([
    limits.WELCOME_TOKENS,
    limits.SUBSCRIPTION_TOKENS_PER_MONTH,
    limits.REFERRAL_REWARD_TOKENS,
    limits.PLAN_PRICE_DOLLARS_PER_MONTH,
    limits.TOKEN_PRICE_DOLLARS,
  ]).toEqual([1000, 1900, 1900, 19, 0.01])
  expect([
    limits.TOP_UP_MIN_TOKENS,
    limits.TOP_UP_MAX_TOKENS,
    limits.CARD_MINIMUM_COINS,
    limits.CHECKOUT_DEFAULT_TOKENS,
    limits.TOP_UP_DEFAULT_TOKENS,
  ]).toEqual([2000, 100_000, 50, 100, 6969])
  expect([
    limits.MULTIPART_CONCURRENT_PARTS,
    limits.UPLOAD_TIMEOUT_MS,
    limits.GENERIC_RETRIES,
  ]).toEqual([5, 60_000, 3])
  expect([
    limits.CLOUD_FILE_MAX_BYTES,
    limits.SHORT_VIDEO_WARNING_BYTES,
    limits.UPLOAD_NEVER_FINISHED_AFTER_MS,
  ]).toEqual([25 * 1024 ** 3, 100_000_000, 86_400_000])
  expect([
    tubeCutOptions.typical.targetDuration,
    limits.SAMPLING_MIN_LENGTH_MS,
    limits.SAMPLING_MIN_MOMENTS,
    limits.SAMPLING_MAX_MOMENTS,
  ]).toEqual([360_000, 10_000, 2, 60])
  expect([
    limits.ASSET_NAME_MAX_CHARACTERS,
    limits.JOB_NAME_MAX_CHARACTERS,
    limits.BUTTON_TEXT_MAX_CHARACTERS,
    limits.REDEMPTION_USER_ID_CHARACTERS,
    limits.WALLET_ENDING_CHARACTERS,
  ]).toEqual([48, 60, 40, 8, 6])
  expect([
    limits.MEDIA_JOBS_PAGE_SIZE,
    limits.SEARCH_BOX_FROM_ITEMS,
    limits.PREPARATION_CAP_PERCENT,
    limits.PREPARATION_CREATING_PERCENT,
    limits.PREPARATION_DONE_PERCENT,
  ]).toEqual([10, 5, 90, 95, 100])
  expect(Math.round(limits.PREPARATION_STEP_MS)).toBe(3333)
  expect([
    limits.TOAST_AUTO_CLOSE_MS,
    limits.TOAST_DRAGGABLE_PERCENT,
    limits.FORMAT_SCREEN_MAX_WIDTH_REM,
  ]).toEqual([5000, 80, 80])
  expect([
    limits.REFERRAL_CODE_MIN_LENGTH,
    limits.REFERRAL_CODE_MAX_LENGTH,
    limits.REFERRAL_CODES_PER_USER,
  ]).toEqual([4, 20, 2])
  expect([
    limits.WITHDRAWAL_DAYS,
    limits.REFUND_DAYS,
    limits.COMPLAINT_REPLY_DAYS,
    limits.TERMINATION_NOTICE_DAYS,
    limits.BRAZIL_GUARANTEE_DAYS,
    limits.BRAZIL_DURABLE_GUARANTEE_DAYS,
    limits.EU_CONFORMITY_YEARS,
    limits.INDEMNITY_YEARS,
    limits.LIABILITY_CAP_MONTHS,
    limits.PRIVACY_REPLY_MONTHS,
    limits.ADULT_AGE_YEARS,
  ]).toEqual([14, 14, 3, 1, 30, 90, 2, 5, 12, 1, 18])
})

const FOLDERS = ['src', 'workers', 'server/src', 'recipes', 'checks']

/** How each number that has one meaning only may be written; others mean many things. */
const REPEATED =
  /\b(?:1_?900|6_?969|100_000|360_?000)\b|\$0\.01|\b(?:25|50) \* (?:GIB|1024 \*\* 3)|TRIAL_DAYS = /

it('CON-01 nothing but that module repeats a number of the specification', async () => {
  const repeats: string[] = []
  for (const file of await sourceFiles(projectRoot, FOLDERS)) {
    const lines = (await readFile(join(projectRoot, file), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      if (REPEATED.test(line)) repeats.push(`${file}:${index + 1}: ${line.trim()}`)
  }
  expect(repeats).toEqual([])
  // A style sheet cannot import it.
  const theme = await readFile(join(projectRoot, 'src/styles/theme.css'), 'utf8')
  expect(theme).toContain(`--container-content: ${limits.FORMAT_SCREEN_MAX_WIDTH_REM}rem`)
})

/** In which a constant may be written: 60_000 ms as 60 s or 1 min. */
const UNITS = [1, 1_000, 60_000, 3_600_000, 86_400_000, 1_000_000, 1024 ** 3]

/** `const NAME = 5`, also as a product such as `5 * MINUTE_MS`. */
const DECLARED = /\bconst ([A-Z][A-Z0-9_]*) = ([\d_.]+)(?: \* [A-Z\d_]+)*$/

/** The words of a constant that say what it counts. */
function words(name: string): readonly string[] {
  return name.split('_').filter((word) => !['MS', 'MAX', 'MIN', 'DEFAULT'].includes(word))
}

/** The constants of the specification whose number and meaning a line repeats. */
function repeatedBy(line: string): readonly string[] {
  const found = DECLARED.exec(line)
  if (found === null) return []
  const [, name = '', amount = ''] = found
  const written = Number(amount.replaceAll('_', ''))
  return Object.entries(limits).flatMap(([known, value]) =>
    typeof value === 'number' &&
    UNITS.some((unit) => value === written * unit) &&
    words(known).filter((word) => words(name).includes(word)).length >= 2
      ? [known]
      : [],
  )
}

it('CON-01 no constant elsewhere says the same of a number that means many things', async () => {
  expect(repeatedBy('const MAX_CONCURRENT_PARTS = 5')).toEqual(['MULTIPART_CONCURRENT_PARTS'])
  expect(repeatedBy('const UPLOAD_STALL_TIMEOUT = 60_000')).toEqual(['UPLOAD_TIMEOUT_MS'])
  expect(repeatedBy('const PAGE_PARTS = 5')).toEqual([])
  const repeats: string[] = []
  for (const file of await sourceFiles(projectRoot, FOLDERS))
    for (const line of (await readFile(join(projectRoot, file), 'utf8')).split('\n'))
      for (const known of repeatedBy(line)) repeats.push(`${file}: ${line.trim()} is ${known}`)
  expect(repeats).toEqual([])
})

const many = (number: number) => number.toLocaleString('en-US')
const dollars = (amount: number) => `$${amount.toFixed(2)}`
const gibibytes = (bytes: number) => `${bytes / 1024 ** 3} GB`

/** What each help page says with a number of that module. Words that change change here too. */
const HELP_SENTENCES: Readonly<Partial<Record<HelpSlug, readonly string[]>>> = {
  'prices-and-tokens': [
    `${1 / limits.TOKEN_PRICE_DOLLARS} tokens are ${dollars(1)}.`,
    `A new account gets ${many(limits.WELCOME_TOKENS)} tokens.`,
    `expire after ${limits.FREE_TRIAL_DAYS} days.`,
    `brings ${many(limits.SUBSCRIPTION_TOKENS_PER_MONTH)} tokens each month for $${limits.PLAN_PRICE_DOLLARS_PER_MONTH}.`,
    `from ${many(limits.TOP_UP_MIN_TOKENS)} to ${many(limits.TOP_UP_MAX_TOKENS)} at a time`,
  ],
  subscription: [
    `costs $${limits.PLAN_PRICE_DOLLARS_PER_MONTH} a month and brings ${many(limits.SUBSCRIPTION_TOKENS_PER_MONTH)} tokens each month.`,
  ],
  paying: [`less than ${dollars(limits.CARD_MINIMUM_COINS * limits.TOKEN_PRICE_DOLLARS)};`],
  refunds: [`Within ${limits.WITHDRAWAL_DAYS} days after a payment`],
  'deleting-your-account': [`bought in the last ${limits.WITHDRAWAL_DAYS} days;`],
  reporting: [`is at least ${limits.ADULT_AGE_YEARS},`],
  'choosing-edits': [`A teaser of ${limits.TEASER_SHORT_SECONDS} seconds`],
  'uploads-slow-lines': [`up to ${gibibytes(limits.LOCAL_FILE_MAX_BYTES)}.`],
}

/** An amount of tokens or money: these are numbers of that module wherever they stand. */
const AMOUNTS = /\$\d[\d,.]*\d|\$\d|\b\d{1,3}(?:,\d{3})+\b|\b\d[\d,]* tokens\b/g

it('CON-01 the help pages say the numbers of that module, and no amount beside them', async () => {
  for (const slug of HELP_SLUGS) {
    const file = `docs/help/${slug}.md`
    const text = (await readFile(join(projectRoot, file), 'utf8')).replace(/\s+/g, ' ')
    const sentences = HELP_SENTENCES[slug] ?? []
    for (const sentence of sentences) expect(text, file).toContain(sentence)
    const rest = sentences.reduce((left, sentence) => left.replaceAll(sentence, ''), text)
    expect(rest.match(AMOUNTS) ?? [], file).toEqual([])
  }
})

it('CON-01 the bounds of the contract are the numbers of that module', async () => {
  const { components } = parse(
    await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8'),
  ) as { components: { schemas: Record<string, unknown> } }
  const bounds = (path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      components.schemas,
    )
  const tokens = ['CreateTokenCheckoutBody', 'properties', 'stripeCheckoutSession', 'properties']
  // With an order, less than the usual least amount is bought.
  expect(bounds([...tokens, 'coinAmount'])).toMatchObject({
    minimum: 1,
    maximum: limits.TOP_UP_MAX_TOKENS,
  })
  const sampling = ['UniformSamplingPayload', 'properties']
  expect(bounds([...sampling, 'maximumDuration', 'minimum'])).toBe(limits.SAMPLING_MIN_LENGTH_MS)
  expect(bounds([...sampling, 'segmentCount'])).toMatchObject({
    minimum: limits.SAMPLING_MIN_MOMENTS,
    maximum: limits.SAMPLING_MAX_MOMENTS,
  })
})
