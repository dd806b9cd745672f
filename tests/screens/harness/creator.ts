import type { components } from '#openapi/schema.gen.ts'
import { catalogue } from '#recipes/presets.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import type { Answers } from './fake-server.ts'

type Schemas = components['schemas']

/** Who uses the page. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly permissions: readonly Schemas['Permission'][]
  /** Null: signed up a moment ago. */
  readonly profession: Schemas['Profession'] | null
}

export const CREATOR: Person = {
  userId: idOf(99),
  email: 'creator@example.com',
  permissions: Object.values(PERMISSIONS),
  profession: 'Creator/Model',
}

/** The catalogue as a server answers that can make all of it. */
export const PRESETS: readonly Schemas['MediaJobTaskPreset'][] = catalogue.map((preset, at) => ({
  ...preset,
  _id: idOf(500 + at),
  slug: preset.slug as Schemas['PresetSlug'],
  pricingStrategies: [...preset.pricingStrategies],
  isOffered: true,
}))

export const CAPABILITIES: Schemas['Capabilities'] = {
  presets: PRESETS.map(({ slug }) => ({ slug, isOffered: true })),
  payments: { isEnabled: true, cardProvider: 'none', isPublicTest: false, publishableKey: null },
  mail: { mode: 'local-mailbox', localMailboxUrl: '/dev/mail' },
  supportMail: 'support@onecut.example',
  pushKey: null,
  frameOrigin: null,
  humanVerification: { provider: 'altcha', siteKey: null },
  uploads: {
    maxUploadSizeBytes: 50 * 1024 ** 3,
    maxCloudUploadSizeBytes: 50 * 1024 ** 3,
    partSizeBytes: 16 * 1024 ** 2,
    providers: ['s3-multipart', 'link'],
    importHosts: ['dropbox.com', 'dropboxusercontent.com'],
  },
  areas: {
    subscriptions: false,
    storedPaymentMethods: false,
    cardCheckout: false,
    referralCodes: false,
    externalAuths: false,
    orderCancel: true,
    orderReceipt: false,
  },
}

/** What a server says to everyone that can make all of it and whose operator has set nothing. */
export const FRONT_PAGE: Schemas['FrontPage'] = {
  formats: PRESETS.map(({ slug, name, pricingStrategies }) => ({ slug, name, pricingStrategies })),
  payments: { isEnabled: true, isPublicTest: false },
  testimonials: null,
  figures: null,
  socialLinks: [],
  supportMail: 'support@onecut.example',
}

/** Work that takes a few hundred tries of one round each. */
export const CHALLENGE: Schemas['HumanChallenge'] = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '00'.repeat(16),
    salt: '00'.repeat(16),
    cost: 1,
    keyLength: 32,
    keyPrefix: '00',
  },
  signature: '00',
}

/** Of this page's own address. */
const PASSKEY_OPTIONS: Schemas['PasskeyRequestOptions'] = {
  challenge: 'c29tZS1jaGFsbGVuZ2U',
  rpId: 'localhost',
  timeout: 600_000,
  userVerification: 'required',
}

/** A server on which all is well and this person has made nothing yet. */
export function answersFor(person: Person | null): Answers {
  const open: Answers = {
    getCapabilities: { capabilities: CAPABILITIES },
    getFrontPage: { frontPage: FRONT_PAGE },
    getHumanChallenge: CHALLENGE,
    getReferralCodeCookie: { referralCode: null },
    beginPasskeySignIn: { options: PASSKEY_OPTIONS },
    listPresets: { mediaJobTaskPresets: [...PRESETS] },
  }
  if (person === null) return open
  const me = meOf(person)
  return {
    ...open,
    getCurrentUser: me,
    getProfile: { userProfile: me.userProfile },
    getReferralCodeRedemption: { referralCodeRedemption: null },
    listPasskeys: { passkeys: [] },
    listEditSets: { editSets: [] },
    getMediaJobForecast: { forecast: { remainingMs: null, editsAhead: null, review: null } },
    readStorage: { storage: NOTHING_STORED },
    listWallets: { wallets: [] },
    listMediaAssets: { mediaAssets: [], mediaAssetRoom: ASSET_ROOM },
    listUploadRequests: { uploadRequests: [], pagination: { nextCursor: null } },
    listMediaJobsPage: { mediaJobs: [], pagination: { nextCursor: null } },
  }
}

/** Room for assets of an account that has none. */
export const ASSET_ROOM: Schemas['MediaAssetRoom'] = {
  count: 0,
  maxCount: 200,
  bytes: 0,
  maxBytes: 10 * 1024 ** 3,
}

/** What lies on the server of a new account. */
export const NOTHING_STORED: Schemas['Storage'] = {
  usedBytes: 0,
  limitBytes: 200_000_000_000,
  keepSourcesDays: null,
  keepResultsDays: null,
  videoCount: 0,
  videos: [],
}

/** `users/me` of a person. */
export function meOf(person: Person) {
  return {
    user: {
      _id: person.userId,
      email: person.email,
      permissions: [...person.permissions],
      createdAt: '2026-11-20T09:00:00.000Z',
    },
    flags: {
      isInTrial: true,
      trialEndsAt: '2026-11-27T09:00:00.000Z',
      hasActiveSubscription: false,
    },
    userProfile: { profession: person.profession },
  }
}

/** The cookie that says who is signed in, as `document.cookie` shows it. */
export function cookiesOf(person: Person | null): string {
  if (person === null) return ''
  const { userId, email, permissions } = person
  const payload = btoa(JSON.stringify({ user: { _id: userId, email, permissions } }))
  return `editorUserAuthJwt=e30.${payload.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.signature; XSRF-TOKEN=mark`
}
