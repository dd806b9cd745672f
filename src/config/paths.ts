/** Base of every call. */
export const API_BASE = '/editors/api'
/** The document of the server in which a video is chosen in Dropbox; shown in a frame. */
export const DROPBOX_CHOOSER = '/editors/connect/dropbox'
export const DROPBOX_SAVER = '/editors/connect/dropbox-saver'
/** The same for Google Drive, of one connected drive. */
export const googlePicker = (externalAuthId: string): string =>
  `/editors/connect/google-picker?externalAuthId=${externalAuthId}`
/** Where the system posts what other apps share; the service worker answers. */
export const SHARE_TARGET = '/share-target'
/** Where the service worker answers with files that this device keeps sealed. */
const KEPT_FILES = '/on-this-device/'

/** A kept file that is sealed, for the service worker to open. */
export interface KeptFileAddress {
  readonly userId: string
  readonly outputId: string
  readonly sizeBytes: number
  readonly fileName: string
  readonly contentType: string
}

/** The address of a kept file that is sealed. */
export function keptFileAddress({ userId, outputId, ...facts }: KeptFileAddress): string {
  const query = new URLSearchParams({ ...facts, sizeBytes: String(facts.sizeBytes) })
  return `${KEPT_FILES}${userId}/${outputId}?${query.toString()}`
}

/** What such an address asks for; null for every other address. */
export function keptFileOf({ pathname, searchParams }: URL): KeptFileAddress | null {
  if (!pathname.startsWith(KEPT_FILES)) return null
  const [userId = '', outputId = ''] = pathname.slice(KEPT_FILES.length).split('/')
  return {
    userId,
    outputId,
    sizeBytes: Number(searchParams.get('sizeBytes') ?? 0),
    fileName: searchParams.get('fileName') ?? '',
    contentType: searchParams.get('contentType') ?? '',
  }
}

/** Under which the browser wakes the service worker now and then to bring the newest edits. */
export const LIBRARY_SYNC_TAG = 'onecut-library'
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
  makeAgain: '/uploads/:uploadRequestId/edits/:taskId/again',
} as const

/** The checkout of an order outside of the flow, as the router reads it. */
export const orderCheckoutPattern = '/orders/:orderId/checkout'

/** The address that invites, as the router reads it; without a code it says so. */
export const invitePattern = '/invite/:code?'

/** The address of one subscription, as the router reads it. */
export const subscriptionPattern = '/subscriptions/:walletSubscriptionId'

/** The address of one page of the help, as the router reads it. */
export const helpPattern = '/help/:slug'

/** Where the faces of one edit are reviewed, as the router reads it. */
export const faceReviewPattern = '/media-jobs/:mediaJobId/tasks/:taskId/faces'

/** The address of one wallet, as the router reads it. */
export const walletPattern = '/wallets/:walletId'

/**
 * The older flow: where formats are selected, and for each preset with options the page that asks
 * for them.
 */
export const olderFlow = {
  select: '/select-media-job-task-presets',
  options: {
    'team-skeet-trailer': '/select-team-skeet-trailer-options',
    'dynamic-watermark': '/select-dynamic-watermark-options',
    'incognito-full-scene': '/select-incognito-full-scene-options',
    'short-trailer-gif': '/select-short-trailer-gif-options',
    'tube-cut': '/select-tube-cut-options',
    'uniform-sampling': '/select-uniform-sampling-options',
  },
} as const

/** A page of the older flow, for one upload. */
export function olderFlowPath(page: string, uploadRequestId: string): string {
  return `${page}?${new URLSearchParams({ uploadRequestId }).toString()}`
}

/** Addresses of screens, built in one place. Ids are encoded. */
export const paths = {
  landing: '/',
  termsOfUse: '/terms-of-use',
  privacyPolicy: '/privacy-policy',
  referralTerms: '/referral-terms',
  termsAndConditions: '/terms-and-conditions',
  contentPolicy: '/content-policy',
  report: '/report',
  licences: '/licences',
  help: '/help',
  helpPage: (slug: string) => withId(helpPattern, slug),
  signUp: '/signup',
  logIn: '/login',
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  createProfile: '/create-profile',
  userProfile: '/user-profile',
  newUpload: '/uploads/new',
  /** After a share of another app: the id of the share, 'missed', 'full' or 'locked'. */
  shared: (share: string) => `/uploads/new?shared=${encodeURIComponent(share)}`,
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

/** Where the faces of one edit are reviewed. */
export function faceReviewPath(mediaJobId: string, taskId: string): string {
  return withId(withId(faceReviewPattern, mediaJobId), taskId)
}

/** Where a delivered edit of a video is made again. */
export function makeAgainPath(uploadRequestId: string, taskId: string): string {
  return withId(withId(flowPatterns.makeAgain, uploadRequestId), taskId)
}

/** Where an asset is named: which upload it is of, and the form that waits for it. */
export interface AssetAddress {
  /** Local id of the upload; absent: the newest that has no name. */
  readonly uploadId?: string
  /** The path of the form that was left for it; absent for none. */
  readonly forPath?: string | null
}

/** The page on which the asset of an upload gets its name. */
export function createMediaAssetPath({ uploadId, forPath }: AssetAddress): string {
  return withQuery(paths.createMediaAsset, { upload: uploadId, for: forPath })
}

/** The page of the assets, on the way to one that a form waits for. */
export function mediaAssetsPath(forPath: string | null): string {
  return withQuery(paths.mediaAssets, { for: forPath })
}

function withQuery(
  path: string,
  values: Readonly<Record<string, string | null | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value != null) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
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
