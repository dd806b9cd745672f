/** Base of every call (000 §7). */
export const API_BASE = '/editors/api'
export const SESSION_COOKIE = 'editorUserAuthJwt'
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

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
  newMediaJob: (uploadRequestId: string) =>
    `/uploads/${encodeURIComponent(uploadRequestId)}/media-jobs/new`,
  mediaJobStatus: (mediaJobId: string) =>
    `/uploads/media-jobs/${encodeURIComponent(mediaJobId)}/status`,
  uploadCheckout: (orderId: string) => `/uploads/orders/${encodeURIComponent(orderId)}/checkout`,
  orderCheckout: (orderId: string) => `/orders/${encodeURIComponent(orderId)}/checkout`,
  subscriptionCheckout: '/subscriptions/stripe/checkout',
  tokenCheckout: '/wallet-coin-transactions/stripe/checkout',
  mediaJobs: '/media-jobs',
  edits: '/edits',
  selectPresets: '/select-media-job-task-presets',
  selectTeamSkeetTrailerOptions: '/select-team-skeet-trailer-options',
  selectDynamicWatermarkOptions: '/select-dynamic-watermark-options',
  selectIncognitoFullSceneOptions: '/select-incognito-full-scene-options',
  selectShortTrailerGifOptions: '/select-short-trailer-gif-options',
  selectTubeCutOptions: '/select-tube-cut-options',
  mediaAssets: '/media-assets',
  createMediaAsset: '/create-media-asset',
  subscriptions: '/subscriptions',
  subscription: (walletSubscriptionId: string) =>
    `/subscriptions/${encodeURIComponent(walletSubscriptionId)}`,
  wallets: '/wallets',
  wallet: (walletId: string) => `/wallets/${encodeURIComponent(walletId)}`,
  referralCodes: '/referral-codes',
  storedPaymentMethods: '/stored-payment-methods',
  externalAuths: '/external-auths',
  notAuthorized: '/not-authorized',
} as const
