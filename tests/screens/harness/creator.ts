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
  humanVerification: { provider: 'altcha', siteKey: null },
  uploads: {
    maxUploadSizeBytes: 50 * 1024 ** 3,
    maxCloudUploadSizeBytes: 50 * 1024 ** 3,
    partSizeBytes: 16 * 1024 ** 2,
    providers: ['s3-multipart'],
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

/** A server on which all is well and this person has made nothing yet. */
export function answersFor(person: Person | null): Answers {
  const open: Answers = {
    getCapabilities: { capabilities: CAPABILITIES },
    getHumanChallenge: CHALLENGE,
    getReferralCodeCookie: { referralCode: null },
    listPresets: { mediaJobTaskPresets: [...PRESETS] },
  }
  if (person === null) return open
  const me = meOf(person)
  return {
    ...open,
    getCurrentUser: me,
    getProfile: { userProfile: me.userProfile },
    getReferralCodeRedemption: { referralCodeRedemption: null },
    listWallets: { wallets: [] },
    listUploadRequests: { uploadRequests: [], pagination: { nextCursor: null } },
    listMediaJobsPage: { mediaJobs: [], pagination: { nextCursor: null } },
  }
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
