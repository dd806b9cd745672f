import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Reach } from '#server/net/outgoing.ts'
import { linkHostTls } from './link-host.ts'

/** What the push service got. */
interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A push service on this machine, over real HTTPS. */
export interface PushServiceFake {
  /** For `ONECUT_PUSH_HOSTS`. */
  readonly host: string
  readonly origin: string
  /** Lets a test server reach it, and nothing else. */
  readonly reach: Reach
  readonly received: Received[]
  /** Statuses of the next answers, with `Retry-After`; then 201. */
  readonly answers: { readonly status: number; readonly retryAfter?: string }[]
  stop(): Promise<void>
}

/** @param resolveTo the address that the name of the service leads to at the moment */
export async function startPushService(
  resolveTo: () => string = () => '127.0.0.1',
): Promise<PushServiceFake> {
  const received: Received[] = []
  const answers: PushServiceFake['answers'] = []
  const { cert, key } = linkHostTls()
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '/', headers } = request
      received.push({ path: url, headers, body: Buffer.concat(chunks) })
      const { status, retryAfter } = answers.shift() ?? { status: 201 }
      response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end('an answer that no one reads')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `push.share.example:${port}`,
    origin: `https://push.share.example:${port}`,
    reach: {
      protocol: 'https:',
      answerMs: 2_000,
      isReachable: (address) => address === '127.0.0.1',
      resolve: async () => await Promise.resolve([{ address: resolveTo(), family: 4 }]),
    },
    received,
    answers,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A browser that subscribed: what it gives the server, and how it reads what comes. */
export function createPushDevice(endpoint: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  return {
    body: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    /** RFC 8291, by its own words and not by the library that wrote it. */
    read(body: Buffer): unknown {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + keyLength)
      const sealed = body.subarray(21 + keyLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
      const secret = hkdf(pair.computeSecret(sender), auth, info, 32)
      const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString('utf8')) as unknown
    },
  }
}

function hkdf(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** The claims of a request's token, if the key signed it; null otherwise (RFC 8292). */
export function readVapid(
  authorization: string,
  publicKey: string,
): Record<string, unknown> | null {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned || key !== publicKey) return null
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>
}
