/**
 * What `npm run doctor -- store` finds of a bucket: it writes below `doctor/`, asks as a browser
 * asks, and removes what it wrote.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { SignedPart } from '#server/object-store/port.ts'
import { createS3Client, unlessMissing } from './client.ts'
import { refusalOfBucket } from './look-at-bucket.ts'
import { publicOriginOf, type S3Place } from './place.ts'
import { createSigner } from './sign-part.ts'
import { openUpload } from './store.ts'

/** One thing that holds or does not; `unknown` is no fault. */
interface StoreFinding {
  readonly verdict: 'right' | 'wrong' | 'unknown'
  readonly text: string
}

interface Examined {
  readonly place: S3Place
  /** Of the app, whose pages send parts. */
  readonly publicOrigin: string
}

/** Looks at a bucket as servers and browsers will use it. Never throws for what the store does. */
export async function examineStore({ place, publicOrigin }: Examined): Promise<StoreFinding[]> {
  const refusal = await refusalOfBucket(place)
  if (refusal !== null) return [wrong(refusal)]
  let failed = ''
  const client = createS3Client(place, (call, outcome) => {
    if (outcome !== 'ok') failed = call
  })
  const findings: StoreFinding[] = []
  try {
    // What is wrong with one of them would let those behind it fail as well.
    for (const examine of [examineRights, examineChecksums]) {
      const finding = await examine(client, place)
      findings.push(finding)
      if (finding.verdict === 'wrong') return findings
    }
    findings.push(...(await examineParts({ client, place, publicOrigin })))
    findings.push(await examineLifecycle(client, place))
    return findings
  } catch (error) {
    const why =
      error instanceof S3ServiceException ? `it refuses ${failed} (${error.name})` : describe(error)
    findings.push(wrong(`The store cannot be examined to the end: ${why}.`))
    return findings
  } finally {
    client.destroy()
  }
}

/** Not the size of a real part: a store compares a small one in the same way. */
const BYTES = randomBytes(64 * 1024)

/** Whether the keys may do all that servers do. */
async function examineRights(client: S3Client, { bucket }: S3Place): Promise<StoreFinding> {
  const below = { Bucket: bucket, Prefix: 'doctor/' }
  const file = { Bucket: bucket, Key: `doctor/${randomUUID()}` }
  const upload = { ...file, UploadId: 'of-no-upload' }
  const rights: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['list files', () => client.send(new ListObjectsV2Command(below))],
    ['list unfinished uploads', () => client.send(new ListMultipartUploadsCommand(below))],
    ['write files', () => client.send(new PutObjectCommand({ ...file, Body: BYTES }))],
    ['read files', () => unlessMissing(client.send(new HeadObjectCommand(file)))],
    ['delete files', () => client.send(new DeleteObjectCommand(file))],
    ['end uploads', () => unlessMissing(client.send(new AbortMultipartUploadCommand(upload)))],
  ]
  const refused: string[] = []
  for (const [what, call] of rights)
    await call().catch((error: unknown) => {
      if (!(error instanceof S3ServiceException)) throw error
      refused.push(`${what} (${describe(error)})`)
    })
  return refused.length === 0
    ? right('The keys may list, read, write and delete files, and list and end uploads.')
    : wrong(`The store does not let the keys ${refused.join(', nor ')}.`)
}

/** Whether the store compares parts by what `S3_CHECKSUMS` says, and else whether by the other. */
async function examineChecksums(client: S3Client, place: S3Place): Promise<StoreFinding> {
  const { checksums, publicEndpoint } = place
  const own = await takesDamage(client, place)
  if (own.kind === 'unreachable') {
    const setting = publicEndpoint === null ? '' : ' (S3_PUBLIC_ENDPOINT)'
    return wrong(`No part can be sent to ${publicOriginOf(place)}${setting}: ${own.reason}.`)
  }
  if (own.kind === 'verifies')
    return right(
      `Each part is compared with its SHA-256: damaged bytes are refused (S3_CHECKSUMS=${checksums}).`,
    )
  if (own.kind === 'refused-right' && own.answer === 'SignatureDoesNotMatch')
    return wrong(
      `Parts are refused at ${publicOriginOf(place)} (${own.answer}): something before the store changes the name of the host, the path or the headers of what is sent.`,
    )
  const other = checksums === 'checksum' ? 'payload' : 'checksum'
  const otherwise = await takesDamage(client, { ...place, checksums: other })
  if (own.kind === 'takes' && otherwise.kind === 'takes')
    return wrong('The store takes damaged bytes with either S3_CHECKSUMS: it cannot be used.')
  const found =
    own.kind === 'refused-right'
      ? `The store refuses the right bytes of a part with S3_CHECKSUMS=${checksums} (${own.answer})`
      : `The store takes damaged bytes of a part with S3_CHECKSUMS=${checksums}`
  return wrong(
    otherwise.kind === 'verifies'
      ? `${found}; with S3_CHECKSUMS=${other} it does as it should: set that.`
      : `${found}, and is of no use with S3_CHECKSUMS=${other} either: it cannot be used.`,
  )
}

type Damage =
  | { readonly kind: 'verifies' | 'takes' }
  | { readonly kind: 'refused-right'; readonly answer: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

async function takesDamage(client: S3Client, place: S3Place): Promise<Damage> {
  await using trial = await openTrial(client, place)
  const damaged = Buffer.from(BYTES)
  damaged[1000] = ~(damaged[1000] ?? 0)
  const signed = await trial.sign(1)
  try {
    if ((await put(signed, damaged)).ok || (await trial.listed()) > 0) return { kind: 'takes' }
    const answer = await put(signed, BYTES)
    return answer.ok
      ? { kind: 'verifies' }
      : { kind: 'refused-right', answer: await sayingOf(answer) }
  } catch (error) {
    // What the server itself asks is answered elsewhere.
    if (error instanceof S3ServiceException) throw error
    return { kind: 'unreachable', reason: describe(error) }
  }
}

interface Place extends Examined {
  readonly client: S3Client
}

async function examineParts({ client, place, publicOrigin }: Place): Promise<StoreFinding[]> {
  await using trial = await openTrial(client, place)
  const signed = await trial.sign(1)
  const late = await trial.sign(1, new Date(Date.now() - 600_000))
  const refused: readonly (readonly [string, Promise<Response>])[] = [
    ['A part that is too short', put(signed, BYTES.subarray(1))],
    ['A part without the header that carries its SHA-256', put({ ...signed, headers: {} }, BYTES)],
    ['A part whose URL has expired', put(late, BYTES)],
  ]
  const findings: StoreFinding[] = []
  for (const [what, sending] of refused)
    findings.push((await sending).ok ? wrong(`${what} is taken.`) : right(`${what} is refused.`))
  const answer = await put(signed, BYTES, publicOrigin)
  findings.push(clockFinding(answer), ...(await corsFindings(signed, answer, publicOrigin)))
  return [...findings, ...(await trial.complete(answer.headers.get('etag') ?? ''))]
}

/** Signatures are bound to a time: stores refuse those that are 15 minutes off. */
function clockFinding({ headers }: Response): StoreFinding {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at)) return { verdict: 'unknown', text: 'The store does not tell its time.' }
  const seconds = Math.round(Math.abs(Date.now() - at) / 1000)
  return seconds <= 60
    ? right('The clocks of this machine and of the store agree.')
    : wrong(`The clocks of this machine and of the store are ${seconds} s apart.`)
}

async function corsFindings(
  signed: SignedPart,
  answer: Response,
  origin: string,
): Promise<StoreFinding[]> {
  const headers = Object.keys(signed.headers).join(',')
  const asked = await fetch(signed.url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': headers,
    },
  }).catch(() => null)
  const says = (name: string): string => asked?.headers.get(name)?.toLowerCase() ?? ''
  const isAllowed =
    asked?.ok === true &&
    ['*', origin.toLowerCase()].includes(says('access-control-allow-origin')) &&
    says('access-control-allow-methods').includes('put') &&
    (says('access-control-allow-headers') === '*' ||
      headers.split(',').every((name) => says('access-control-allow-headers').includes(name)))
  if (!isAllowed)
    return [
      wrong(
        `Pages of ${origin} may not send parts: the bucket's CORS rules lack it; ${HOW}, step 2.`,
      ),
    ]
  const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase() ?? ''
  return [
    right(`Pages of ${origin} may send parts (CORS).`),
    exposed.includes('etag') || exposed === '*'
      ? right('Pages see the ETag of a part (CORS).')
      : wrong('Pages do not see the ETag of a part: add it to ExposeHeaders of the CORS rules.'),
  ]
}

async function examineLifecycle(client: S3Client, { bucket }: S3Place): Promise<StoreFinding> {
  const asked = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket })
  const rules = await client.send(asked).then(
    ({ Rules = [] }) => Rules,
    (error: unknown) =>
      error instanceof Error && error.name === 'NoSuchLifecycleConfiguration' ? [] : null,
  )
  if (rules === null)
    return { verdict: 'unknown', text: 'The store does not tell its lifecycle rules.' }
  const days = rules.flatMap(({ Status, AbortIncompleteMultipartUpload }) =>
    Status === 'Enabled' ? (AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? []) : [],
  )
  if (days.length === 0)
    return wrong(
      `No lifecycle rule ends unfinished uploads (AbortIncompleteMultipartUpload): add one of 30 days; ${HOW}, step 3.`,
    )
  return Math.min(...days) < 30
    ? wrong(`A lifecycle rule ends unfinished uploads after ${Math.min(...days)} days; make it 30.`)
    : right(`A lifecycle rule ends unfinished uploads, after ${Math.min(...days)} days.`)
}

const HOW = 'docs/production.md#files-in-a-bucket'

/** A multipart upload of one part below `doctor/`, which goes with all that it made. */
interface Trial extends AsyncDisposable {
  sign(partNumber: number, at?: Date): Promise<SignedPart>
  /** How many parts the store lists. */
  listed(): Promise<number>
  /** Makes an object of the part, twice, and reads a range of it as a browser does. */
  complete(eTag: string): Promise<StoreFinding[]>
}

async function openTrial(client: S3Client, place: S3Place): Promise<Trial> {
  const objectKey = `doctor/${randomUUID()}`
  const object = { Bucket: place.bucket, Key: objectKey }
  const UploadId = await openUpload({ client, place }, { objectKey })
  const upload = { ...object, UploadId }
  const checksumSha256 = createHash('sha256').update(BYTES).digest('base64')
  const ChecksumSHA256 = place.checksums === 'checksum' ? checksumSha256 : undefined
  return {
    sign: async (partNumber, at = new Date()) =>
      await createSigner(place, () => at).part(
        {
          objectKey,
          storeUploadId: UploadId,
          partNumber,
          sizeBytes: BYTES.length,
          checksumSha256,
        },
        300,
      ),
    listed: async () => (await client.send(new ListPartsCommand(upload))).Parts?.length ?? 0,
    async complete(ETag) {
      const Parts = [{ PartNumber: 1, ETag, ChecksumSHA256 }]
      const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
      await client.send(command)
      await unlessMissing(client.send(command))
      const { ContentLength } = await client.send(new HeadObjectCommand(object))
      const isWhole = ContentLength === BYTES.length
      return [
        isWhole
          ? right('An upload can be completed twice, as after a lost answer.')
          : wrong(`A completed upload has ${ContentLength} bytes in the place of ${BYTES.length}.`),
        await rangeFinding(place, objectKey),
      ]
    },
    async [Symbol.asyncDispose]() {
      await unlessMissing(client.send(new AbortMultipartUploadCommand(upload))).catch(() => null)
      await unlessMissing(client.send(new DeleteObjectCommand(object))).catch(() => null)
    },
  }
}

async function rangeFinding(place: S3Place, objectKey: string): Promise<StoreFinding> {
  const shown = { contentType: 'video/mp4', disposition: 'attachment; filename="a.mp4"' }
  const url = await createSigner(place, () => new Date()).file({ objectKey, ...shown }, 60)
  const answer = await fetch(url, { headers: { range: 'bytes=10-19' } })
  const isRange =
    answer.status === 206 &&
    Buffer.from(await answer.arrayBuffer()).equals(BYTES.subarray(10, 20)) &&
    answer.headers.get('content-type') === shown.contentType &&
    answer.headers.get('content-disposition') === shown.disposition
  return isRange
    ? right('Browsers get a range of a file, with its type and name.')
    : wrong(`Browsers do not get a range of a file with its type and name (${answer.status}).`)
}

async function put(signed: SignedPart, body: Uint8Array, origin?: string): Promise<Response> {
  const headers = { ...signed.headers, ...(origin === undefined ? {} : { origin }) }
  return await fetch(signed.url, { method: 'PUT', body: new Uint8Array(body), headers })
}

/** The XML code of a refusal, else its status. */
async function sayingOf(answer: Response): Promise<string> {
  return /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? String(answer.status)
}

/** The code of the store's answer, else why there is none. */
function describe(error: unknown): string {
  if (error instanceof S3ServiceException) return error.name
  const cause = error instanceof Error ? (error.cause ?? error) : null
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `it does not answer${code}`
}

function right(text: string): StoreFinding {
  return { verdict: 'right', text }
}

function wrong(text: string): StoreFinding {
  return { verdict: 'wrong', text }
}
