/** Base of every call. */
export const API_BASE = '/editors/api'
export const SESSION_COOKIE = 'editorUserAuthJwt'
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'
/** Whose session a call expects. */
export const USER_HEADER = 'X-User-Id'
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * The checkout flow: its root and its addresses that hold an id, as the router and `matchPath` read
 * them.
 */
export const flowPatterns = {
  root: '/uploads',
  newMediaJob: '/uploads/:uploadRequestId/media-jobs/new',
  mediaJobStatus: '/uploads/media-jobs/:mediaJobId/status',
  uploadCheckout: '/uploads/orders/:orderId/checkout',
} as const

/** The checkout of an order outside of the flow, as the router reads it. */
export const orderCheckoutPattern = '/orders/:orderId/checkout'

/** The address that invites, as the router reads it; without a code it says so. */
export const invitePattern = '/invite/:code?'

/** The address of one subscription, as the router reads it. */
export const subscriptionPattern = '/subscriptions/:walletSubscriptionId'

/** The address of one wallet, as the router reads it. */
export const walletPattern = '/wallets/:walletId'

/** Addresses of screens, built in one place. Ids are encoded. */
export const paths = {
  landing: '/',
  termsOfUse: '/terms-of-use',
  privacyPolicy: '/privacy-policy',
  referralTerms: '/referral-terms',
  termsAndConditions: '/terms-and-conditions',
  signUp: '/signup',
  logIn: '/login',
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  createProfile: '/create-profile',
  userProfile: '/user-profile',
  newUpload: '/uploads/new',
  newMediaJob: (uploadRequestId: string) => withId(flowPatterns.newMediaJob, uploadRequestId),
  mediaJobStatus: (mediaJobId: string) => withId(flowPatterns.mediaJobStatus, mediaJobId),
  uploadCheckout: (orderId: string) => withId(flowPatterns.uploadCheckout, orderId),
  orderCheckout: (orderId: string) => withId(orderCheckoutPattern, orderId),
  subscriptionCheckout: '/subscriptions/stripe/checkout',
  tokenCheckout: '/wallet-coin-transactions/stripe/checkout',
  mediaJobs: '/media-jobs',
  edits: '/edits',
  mediaAssets: '/media-assets',
  createMediaAsset: '/create-media-asset',
  subscriptions: '/subscriptions',
  subscription: (walletSubscriptionId: string) => withId(subscriptionPattern, walletSubscriptionId),
  wallets: '/wallets',
  wallet: (walletId: string) => withId(walletPattern, walletId),
  payments: '/payments',
  referralCodes: '/referral-codes',
  storedPaymentMethods: '/stored-payment-methods',
  externalAuths: '/external-auths',
  notAuthorized: '/not-authorized',
} as const

/** Puts an id in the place of the one parameter of a pattern. */
function withId(pattern: string, id: string): string {
  return pattern.replace(/:\w+/, () => encodeURIComponent(id))
}

/** The query of the page that buys tokens. */
export interface TokenCheckoutAddress {
  readonly walletId: string
  readonly coinAmount?: number
  readonly orderId?: string | null
  readonly sessionId?: string
}

/** The page that begins a card payment for tokens, or goes on with the one of `sessionId`. */
export function tokenCheckoutPath(address: TokenCheckoutAddress): string {
  const { walletId, coinAmount, orderId = null, sessionId } = address
  const query = new URLSearchParams({ walletId })
  if (coinAmount !== undefined) query.set('coinAmount', String(coinAmount))
  if (orderId !== null) query.set('orderId', orderId)
  if (sessionId !== undefined) query.set('stripeCheckoutSessionId', sessionId)
  return `${paths.tokenCheckout}?${query.toString()}`
}
