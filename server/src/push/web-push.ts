import { createECDH, ECDH } from 'node:crypto'
import { Readable } from 'node:stream'
import webPush from 'web-push'
import type { Key } from '#server/db/secrets.ts'
import { OutgoingError, type Outgoing } from '#server/net/outgoing.ts'
import type { PushAnswer, PushMessage, PushService, PushTarget } from './port.ts'

const CURVE = 'prime256v1'
/** Of P-256: a private key is less than it. */
const CURVE_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** From the first byte of the request to the headers of the answer. */
const LONGEST_SENDING_MS = 15_000

interface WebPushOptions {
  /** From it comes the key pair by which push services know this server; it never changes. */
  readonly key: Key
  readonly outgoing: Pick<Outgoing, 'check' | 'open'>
  /** Where a push service reaches the operator: an address of `mailto:` or `https:`. */
  readonly contact: string
}

/**
 * Web Push. The library writes and encrypts requests (RFC 8291, RFC 8292) and sends none: each goes
 * out by the guarded fetch, because where it goes is the word of a browser.
 */
export function createWebPush({ key, outgoing, contact }: WebPushOptions): PushService {
  const { publicKey, privateKey } = keyPairOf(key)
  const vapidDetails = { subject: contact, publicKey, privateKey }
  const requestOf = (
    { endpoint, p256dh, auth }: PushTarget,
    { topic, payload, ttlS }: PushMessage,
  ) =>
    webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails,
      topic,
      TTL: ttlS,
      contentEncoding: 'aes128gcm',
      urgency: 'normal',
    })
  return {
    publicKey,
    mayTake: ({ endpoint, p256dh }) =>
      /^[!-~]+$/.test(endpoint) && isAllowed(outgoing, endpoint) && isPoint(p256dh),
    async send(target, message) {
      const { endpoint, headers, body } = requestOf(target, message)
      try {
        const { message: answer } = await outgoing.open({
          link: endpoint,
          headers: { ...textsOf(headers), 'content-length': String(body.length) },
          signal: AbortSignal.timeout(LONGEST_SENDING_MS),
          writes: { method: 'POST', body: Readable.from([body]) },
        })
        answer.destroy()
        return answerOf(answer.statusCode ?? 0, answer.headers['retry-after'])
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

function keyPairOf({ signing }: Key): { readonly publicKey: string; readonly privateKey: string } {
  const secret = BigInt(`0x${Buffer.from(signing).toString('hex')}`)
  const scalar = (secret % (CURVE_ORDER - 1n)) + 1n
  const pair = createECDH(CURVE)
  pair.setPrivateKey(scalar.toString(16).padStart(64, '0'), 'hex')
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toString('base64url'),
  }
}

function isAllowed({ check }: Pick<Outgoing, 'check'>, endpoint: string): boolean {
  try {
    check(endpoint)
    return true
  } catch (error) {
    if (error instanceof OutgoingError) return false
    throw error
  }
}

function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed')
    return true
  } catch {
    return false
  }
}

/** 404 and 410: the subscription has ended. The rest of 4xx is our fault, and stays one. */
function answerOf(status: number, retryAfter: string | undefined): PushAnswer {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 429 || status >= 500)
    return {
      kind: 'busy',
      retryAfterS: /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null,
    }
  return { kind: 'refused', why: String(status) }
}

function faultOf(error: unknown): PushAnswer {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { kind: 'busy', retryAfterS: null }
  if (!(error instanceof OutgoingError)) throw error
  switch (error.fault) {
    case 'away':
      return { kind: 'busy', retryAfterS: null }
    // The operator's list has become shorter.
    case 'host':
    case 'not-a-link':
      return { kind: 'gone' }
    case 'address':
    case 'redirects':
      return { kind: 'refused', why: error.fault }
  }
}

function textsOf(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}
