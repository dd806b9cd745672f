import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { components } from '#openapi/schema.gen.ts'
import { attestation, type MediaJob } from '#tests/setup/order.ts'
import type { Checkout } from '#tests/setup/payments.ts'
import type { UploadRequest } from '#tests/setup/upload.ts'
import type { Chance } from '#tests/integration/kill/crash-harness.ts'
import {
  clientAt,
  done,
  keyed,
  patiently,
  type Fact,
  type Person,
  type World,
} from './mixed-world.ts'

type Order = components['schemas']['Order']

/** What people upload: movies of one part and of several. */
export interface Movies {
  readonly small: Uint8Array
  readonly large: Uint8Array
}

const ERRANDS_IN_A_LIFE = 4
const SESSIONS = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'

/**
 * One person after the other: each signs up, does some errands to their end, from the `first` on
 * in turn, and now and then deletes the account. Ends when the world is over and the errand that is
 * under way is done.
 */
export async function live(
  world: World,
  movies: Movies,
  chance: Chance,
  first: number,
): Promise<void> {
  for (let next = first; !world.isOver();) {
    const person = await signUp(world, chance)
    for (const end = next + ERRANDS_IN_A_LIFE; next < end && !world.isOver(); next += 1)
      await ERRANDS[next % ERRANDS.length]?.(world, person, movies, chance)
    if (chance.between(0, 3) === 0) await leave(world, person)
  }
}

type Errand = (world: World, person: Person, movies: Movies, chance: Chance) => Promise<void>

const ERRANDS: readonly Errand[] = [
  orderEdits,
  discardUpload,
  orderEdits,
  cancelPaidOrder,
  orderEdits,
  orderEditsOfGarbage,
]

/** Signs up by the digits of the mail; when an answer was lost, by those of another mail. */
async function signUp(world: World, chance: Chance): Promise<Person> {
  const email = `creator-${crypto.randomUUID()}@example.com`
  const address = `203.0.${chance.between(0, 255)}.${chance.between(1, 254)}`
  for (let mails = 0; mails < 5; mails += 1) {
    const client = clientAt(world, address)
    const challenge = await done(world, 'A challenge', () =>
      client.get<Challenge>('/v1/human-challenges'),
    )
    const solution = await solveChallenge({ challenge, deriveKey })
    const captchaToken = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    const body = { user: { email }, captchaToken, redirectUri: '/' }
    const asked = await patiently(world, () => client.post('/v1/auth/magic-link/signup', body))
    // The proof of work may be spent by a request whose answer was lost.
    if (asked.status !== 202) continue
    const code = await readCode(world, email)
    const signedIn = await patiently(world, () =>
      client.post<{ user: { _id: string } }>('/v1/auth/magic-link/code', { email, code }),
    )
    // And so may the code.
    if (signedIn.status !== 200) continue
    const userId = signedIn.body.user._id
    const facts = new Map<string, Fact>([['account', { kind: 'account', userId }]])
    const person = { client, userId, email, facts }
    world.people.add(person)
    return person
  }
  throw new Error('Signing up failed five times')
}

async function readCode(world: World, email: string): Promise<string> {
  for (;;) {
    await world.gate.pass()
    const mails = await world.server.mails().catch(() => null)
    if (mails === null) continue
    const mail = mails.find(({ to }) => to === email)
    const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1]
    if (code === undefined) throw new Error(`No mail to ${email}, although it was acknowledged`)
    return code
  }
}

/** Uploads a movie, chooses edits, pays, waits, downloads, and sometimes deletes it. */
async function orderEdits(
  world: World,
  person: Person,
  movies: Movies,
  chance: Chance,
): Promise<void> {
  const bytes = chance.between(0, 1) === 0 ? movies.small : movies.large
  const isPaidEarly = chance.between(0, 2) === 0
  const upload = await begin(world, person, bytes.length)
  const early = isPaidEarly ? await order(world, person, upload, ['still-pack']) : null
  if (early !== null) await pay(world, person, early, chance)
  await sendAndComplete(world, person, upload, bytes)
  const jobId = early?.mediaJobId ?? (await orderWhenMeasured(world, person, upload, chance))
  const files = await download(world, person, jobId)
  person.facts.set(`edits ${jobId}`, { kind: 'edits', jobId, files })
  if (chance.between(0, 3) === 0) await deleteVideo(world, person, upload._id, jobId)
}

async function orderWhenMeasured(
  world: World,
  person: Person,
  upload: UploadRequest,
  chance: Chance,
): Promise<string> {
  await until(async () => {
    const { client } = person
    const found = await patiently(world, () =>
      client.get(`/v1/upload-requests/${upload._id}/metadata`),
    )
    return found.status === 200 ? found : null
  })
  const placed = await order(world, person, upload, ['dynamic-watermark', 'still-pack'])
  await pay(world, person, placed, chance)
  return placed.mediaJobId
}

async function order(
  world: World,
  person: Person,
  upload: UploadRequest,
  slugs: readonly string[],
): Promise<Order & { readonly mediaJobId: string }> {
  const mediaJobTaskRequests = slugs.map((mediaJobTaskPresetSlug) => ({
    mediaJobTaskPresetSlug,
    ...(mediaJobTaskPresetSlug === 'dynamic-watermark' ? { payload: { text: '@mara' } } : {}),
  }))
  const { mediaJob } = await keyed<{ mediaJob: MediaJob }>(world, person, '/v2/media-jobs', {
    mediaJob: { uploadRequestId: upload._id, mediaJobTaskRequests },
  })
  const placed = await keyed<{ order: Order }>(world, person, '/v1/orders', {
    order: { mediaJobId: mediaJob._id, attestation },
  })
  tell(person, placed.order._id, 'placed')
  return { ...placed.order, mediaJobId: mediaJob._id }
}

async function pay(world: World, person: Person, placed: Order, chance: Chance): Promise<void> {
  if (chance.between(0, 1) === 0) await payByTokens(world, person, placed)
  else await payByCard(world, person, placed, chance)
  tell(person, placed._id, 'paid')
}

async function payByTokens(world: World, person: Person, placed: Order): Promise<void> {
  await keyed(world, person, `/v1/payments/orders/${placed._id}/wallet-coin-transactions`, {
    walletCoinTransaction: {
      walletId: await walletOf(world, person),
      coinAmount: placed.remainingPayableCoinAmount,
    },
    idempotencyKey: crypto.randomUUID(),
  })
}

/** The notices come once, twice, late or never; the page that waits finds out in any case. */
async function payByCard(
  world: World,
  person: Person,
  placed: Order,
  chance: Chance,
): Promise<void> {
  const { client } = person
  const { stripeCheckoutSession } = await keyed<{ stripeCheckoutSession: Checkout }>(
    world,
    person,
    SESSIONS,
    {
      walletId: await walletOf(world, person),
      orderId: placed._id,
      stripeCheckoutSession: { coinAmount: placed.remainingPayableCoinAmount },
    },
  )
  const { _id, payUrl } = stripeCheckoutSession
  const delivery = ['once', 'twice', 'late', 'never'][chance.between(0, 3)] ?? 'once'
  await patiently(world, () =>
    client.post(payUrl, new URLSearchParams({ press: 'pay', delivery }), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  await until(async () => {
    const read = await done(world, 'A checkout', () =>
      client.get<{ stripeCheckoutSession: Checkout }>(`${SESSIONS}/${_id}`),
    )
    return read.stripeCheckoutSession.payment === 'paid' ? read : null
  })
}

async function walletOf(world: World, { client }: Person): Promise<string> {
  const { wallets } = await done(world, 'Wallets', () =>
    client.get<{ wallets: { _id: string }[] }>('/v1/wallets'),
  )
  return wallets[0]?._id ?? ''
}

/** Begins an upload, sends some of it or all, and gives it up. */
async function discardUpload(
  world: World,
  person: Person,
  movies: Movies,
  chance: Chance,
): Promise<void> {
  const upload = await begin(world, person, movies.large.length)
  if (chance.between(0, 1) === 0) await sendAndComplete(world, person, upload, movies.large)
  else await sendParts(world, person, upload, movies.large, 1)
  forget(person, `upload ${upload._id}`)
  await done(world, 'Discarding', () => person.client.delete(`/v1/upload-requests/${upload._id}`))
  person.facts.set(`upload ${upload._id}`, { kind: 'discarded-upload', id: upload._id })
}

/** Pays for edits of an upload that is still to come, and cancels. */
async function cancelPaidOrder(
  world: World,
  person: Person,
  movies: Movies,
  chance: Chance,
): Promise<void> {
  const upload = await begin(world, person, movies.large.length)
  const placed = await order(world, person, upload, ['still-pack'])
  await pay(world, person, placed, chance)
  forget(person, `order ${placed._id}`)
  await keyed(world, person, `/v1/orders/${placed._id}/cancel`, undefined)
  tell(person, placed._id, 'canceled')
}

/** Pays for edits of a file that turns out to be no video: its check gives the tokens back. */
async function orderEditsOfGarbage(
  world: World,
  person: Person,
  _movies: Movies,
  chance: Chance,
): Promise<void> {
  const bytes = chance.bytes(50_000)
  const upload = await begin(world, person, bytes.length)
  const placed = await order(world, person, upload, ['still-pack'])
  await pay(world, person, placed, chance)
  await sendAndComplete(world, person, upload, bytes)
  const job = await ended(world, person, placed.mediaJobId)
  if (job.tasks.some(({ status }) => status !== 'failed'))
    throw new Error('An edit of garbage did not fail')
}

async function deleteVideo(world: World, person: Person, id: string, jobId: string): Promise<void> {
  forget(person, `edits ${jobId}`, `upload ${id}`)
  await done(world, 'Deleting a video', () => person.client.delete(`/v1/storage/${id}`))
  person.facts.set(`upload ${id}`, { kind: 'deleted-video', id, jobId })
}

async function leave(world: World, person: Person): Promise<void> {
  const { client, email, facts } = person
  forget(person, ...facts.keys())
  const answer = await patiently(world, () => client.post('/v1/users/me/deletion', { email }))
  // A repeated request comes without a session: the first one ended it.
  if (answer.status !== 200 && answer.status !== 401)
    throw new Error(`Deleting an account answered ${answer.status}`)
  facts.set('account', { kind: 'deleted-account' })
}

async function begin(world: World, person: Person, sizeBytes: number): Promise<UploadRequest> {
  const body = {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: {
        provider: 's3-multipart',
        metadata: { clientFilename: 'beach day.mp4', clientFileSize: sizeBytes },
      },
    },
  }
  const { uploadRequest } = await done(world, 'Beginning an upload', () =>
    person.client.post<{ uploadRequest: UploadRequest }>('/v2/upload-requests', body),
  )
  const { _id: id } = uploadRequest
  person.facts.set(`upload ${id}`, { kind: 'upload', id, parts: new Map() })
  return uploadRequest
}

async function sendAndComplete(
  world: World,
  person: Person,
  { _id: id }: UploadRequest,
  bytes: Uint8Array,
): Promise<void> {
  const path = `/v1/upload-requests/${id}`
  const { client, facts } = person
  const read = async () =>
    (await done(world, 'An upload', () => client.get<{ uploadRequest: UploadRequest }>(path)))
      .uploadRequest
  // A kill may come between a part and its answer: what is missing is what the server says.
  for (let now = await read(); isMissing(now); now = await read())
    await sendParts(world, person, now, bytes)
  const { upload } = await read()
  const parts = upload.parts.map(({ partNumber, eTag }) => ({ partNumber, eTag }))
  const completed = await done(world, 'Completing', () =>
    client.patch<{ uploadRequest: UploadRequest }>(path, { uploadRequest: { upload: { parts } } }),
  )
  const checksum = completed.uploadRequest.upload.checksumSha256
  facts.set(`upload ${id}`, { kind: 'completed-upload', id, checksum })
}

function isMissing({ upload }: UploadRequest): boolean {
  return upload.parts.some(({ presignedUrl }) => presignedUrl !== null)
}

/** Sends parts one after the other until one breaks off; keeps what was acknowledged. */
async function sendParts(
  { gate, server }: World,
  { facts }: Person,
  { _id: id, upload }: UploadRequest,
  bytes: Uint8Array,
  most = Infinity,
): Promise<void> {
  const known = facts.get(`upload ${id}`)
  const parts = new Map(known?.kind === 'upload' ? known.parts : [])
  const missing = upload.parts.filter(({ presignedUrl }) => presignedUrl !== null)
  for (const { partNumber, partSize, presignedUrl } of missing.slice(0, most)) {
    await gate.pass()
    const from = (partNumber - 1) * upload.partSize
    const body = bytes.slice(from, from + partSize)
    const url = new URL(presignedUrl ?? '', server.origin)
    const answer = await fetch(url, { method: 'PUT', body }).catch(() => null)
    if (answer?.status !== 200) return await delay(50)
    parts.set(partNumber, answer.headers.get('etag')?.replaceAll('"', '') ?? '')
    facts.set(`upload ${id}`, { kind: 'upload', id, parts })
  }
}

/** The files of all edits of a job that has ended well: SHA-256 by output. */
async function download(
  world: World,
  person: Person,
  jobId: string,
): Promise<ReadonlyMap<string, string>> {
  const job = await ended(world, person, jobId)
  const failed = job.tasks.find(({ status }) => status !== 'succeeded')
  if (failed !== undefined) throw new Error(`An edit ended as ${failed.errorMessage}`)
  const files = new Map<string, string>()
  for (const output of job.tasks.flatMap(({ outputs }) => outputs)) {
    if (output.kind !== 'download-button') continue
    const file = await patiently(world, () => person.client.get(output.downloadUrl))
    if (file.status !== 200 || file.bytes.length !== output.sizeBytes)
      throw new Error(`A download answered ${file.status} with ${file.bytes.length} bytes`)
    files.set(output.downloadUrl, createHash('sha256').update(file.bytes).digest('hex'))
  }
  return files
}

async function ended(world: World, { client }: Person, jobId: string): Promise<MediaJob> {
  return await until(async () => {
    const { mediaJob } = await done(world, 'A job', () =>
      client.get<{ mediaJob: MediaJob }>(`/v1/media-jobs/${jobId}`),
    )
    const isEnded = mediaJob.tasks.every(({ status }) =>
      ['succeeded', 'failed', 'canceled'].includes(status),
    )
    return isEnded ? mediaJob : null
  })
}

/** What a call takes back is no fact any more once it is sent: its answer may be lost. */
function forget({ facts }: Person, ...keys: readonly string[]): void {
  for (const key of keys) facts.delete(key)
}

function tell({ facts }: Person, id: string, state: 'placed' | 'paid' | 'canceled'): void {
  facts.set(`order ${id}`, { kind: 'order', id, state })
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null) return found
    await delay(200)
  }
}
