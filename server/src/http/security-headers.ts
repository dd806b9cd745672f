interface HeaderSettings {
  readonly publicOrigin: string
  /** Of a store that pages send parts to and load files from; null: this server does both. */
  readonly storeOrigin: string | null
  readonly usesRecaptcha: boolean
  /** Where documents with scripts of others are; null: at the public origin. */
  readonly frameOrigin: string | null
  /** Frames of these origins may ask the browser for a stored card, in the pay frame. */
  readonly walletOrigins: readonly string[]
}

/**
 * Of answers that are not shown and are given beside the app: parts, and what is said before the
 * settings are known.
 */
export const PLAIN_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/**
 * Headers of every answer. No COEP: the ffmpeg core in use is single-threaded and does not need it.
 * Windows that the app opens, as Dropbox's, keep their opener. Sent with worker scripts too, whose
 * policy is their own.
 */
export function securityHeaders({
  publicOrigin,
  storeOrigin,
  usesRecaptcha,
  frameOrigin,
  walletOrigins,
}: HeaderSettings): Readonly<Record<string, string>> {
  const store = storeOrigin === null ? '' : ` ${storeOrigin}`
  const headers: Record<string, string> = {
    'content-security-policy': [
      "default-src 'self'",
      // ffmpeg's WebAssembly does not compile without it.
      ["script-src 'self' 'wasm-unsafe-eval'", ...(usesRecaptcha ? RECAPTCHA_ORIGINS : [])].join(
        ' ',
      ),
      // Frames are documents of this server with policies of their own; those of another origin
      // are opened by an address here, which leads there.
      [
        "frame-src 'self'",
        ...(frameOrigin === null ? [] : [frameOrigin]),
        ...(usesRecaptcha ? ['https://www.google.com'] : []),
      ].join(' '),
      "style-src 'self'",
      "worker-src 'self'",
      `connect-src 'self'${store}`,
      `img-src 'self' blob: data:${store}`,
      `media-src 'self' blob:${store}`,
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': `camera=(), microphone=(), geolocation=(), payment=(${paymentOf(walletOrigins, frameOrigin)}), usb=(), browsing-topics=()`,
  }
  if (publicOrigin.startsWith('https:'))
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  return headers
}

/** The page around the pay frame must allow it too: a frame gets no more than what is around it. */
function paymentOf(walletOrigins: readonly string[], frameOrigin: string | null): string {
  if (walletOrigins.length === 0) return ''
  const others = frameOrigin === null ? walletOrigins : [frameOrigin, ...walletOrigins]
  return ['self', ...others.map((origin) => `"${origin}"`)].join(' ')
}

/**
 * Headers of every answer of the origin of frames. Each document there says itself what it loads
 * and who may frame it; nothing else may be framed.
 */
export function frameHeaders(
  common: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { 'x-frame-options': _refusesFrames, ...rest } = common
  return {
    ...rest,
    'content-security-policy': PLAIN_HEADERS['content-security-policy'],
    // The address has a token.
    'referrer-policy': 'no-referrer',
  }
}

const RECAPTCHA_ORIGINS = ['https://www.google.com', 'https://www.gstatic.com']
