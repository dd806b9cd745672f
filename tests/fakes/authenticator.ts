/**
 * A device that makes and uses passkeys, without a browser: ES256, no attestation (WebAuthn
 * Level 3, section 6).
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What the page would sign for. */
interface Asked {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
}

/** How a device differs from a good one. */
interface Fault {
  /** Default: the person is verified. */
  readonly isPersonVerified?: boolean
  /** Instead of `none`. */
  readonly format?: string
}

export interface FakePasskey {
  readonly id: string
  /** The answer to a request to make it. */
  create(asked: Asked, fault?: Fault): Record<'id' | 'clientDataJSON' | 'attestationObject', string>
  /** The answer to a request to sign in; counts one up, unless told the count. */
  get(
    asked: Asked,
    fault?: Fault & { readonly counter?: number },
  ): Record<'id' | 'clientDataJSON' | 'authenticatorData' | 'signature', string>
}

const FLAGS = { isPresent: 0x01, isVerified: 0x04, hasCredential: 0x40 }

export function createFakePasskey(): FakePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  let counter = 0
  return {
    id,
    create(asked, { isPersonVerified = true, format = 'none' } = {}) {
      const flags = flagsOf(isPersonVerified) | FLAGS.hasCredential
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)])
      const authData = Buffer.concat([head(asked.rpId, flags, 0), attested])
      const statement = format === 'none' ? Buffer.of(0xa0) : map([[text('x5c'), Buffer.of(0x80)]])
      const object = map([
        [text('fmt'), text(format)],
        [text('attStmt'), statement],
        [text('authData'), byteString(authData)],
      ])
      return {
        id,
        clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
        attestationObject: object.toString('base64url'),
      }
    },
    get(asked, { isPersonVerified = true, counter: given } = {}) {
      counter = given ?? counter + 1
      const authData = head(asked.rpId, flagsOf(isPersonVerified), counter)
      const data = clientData('webauthn.get', asked)
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      return {
        id,
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
    },
  }
}

function flagsOf(isPersonVerified: boolean): number {
  return FLAGS.isPresent | (isPersonVerified ? FLAGS.isVerified : 0)
}

function head(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), count])
}

function clientData(type: string, { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** COSE: kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map([
    [Buffer.of(0x01), Buffer.of(0x02)],
    [Buffer.of(0x03), Buffer.of(0x26)],
    [Buffer.of(0x20), Buffer.of(0x01)],
    [Buffer.of(0x21), byteString(Buffer.from(x, 'base64url'))],
    [Buffer.of(0x22), byteString(Buffer.from(y, 'base64url'))],
  ])
}

// The little of CBOR that is needed: short maps and texts, and bytes in the shortest form.
function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.of(0xa0 + entries.length), ...entries.flat()])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
}

function byteString(value: Buffer): Buffer {
  const { length } = value
  const head =
    length < 256 ? Buffer.of(0x58, length) : Buffer.of(0x59, Math.floor(length / 256), length % 256)
  return Buffer.concat([head, value])
}
