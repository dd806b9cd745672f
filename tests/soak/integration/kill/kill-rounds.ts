import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { beginUpload, type UploadRequest } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { createChance, killDatabase, type Chance } from '#tests/integration/kill/crash-harness.ts'

/** The smallest part that S3 takes, so that many of them fit into a run. */
const PART_BYTES = 5 * 1024 ** 2
const SLOTS = 3
/** Fewer than an account may have open. */
const SMALL_UPLOADS = 15
/** A kill comes at any moment of this time after the first upload was acknowledged. */
const LOAD_MS = 600
/** A kill during a start comes within this time. */
const START_MS = 2_500

/** What a run of kills showed. It ends with an error when something acknowledged was lost. */
export interface KillReport {
  readonly kills: number
  /** Of those, during a start. */
  readonly killsOfStarts: number
  /** Of those, together with the database. */
  readonly killsOfDatabases: number
  /** Starts that reached "ready", one for each kill that was not of a start. */
  readonly startSeconds: readonly number[]
  readonly acknowledged: { readonly parts: number; readonly uploads: number }
}

/** What the server has said it has. */
interface Acknowledged {
  /** ETags of the parts of the long upload. */
  readonly parts: Map<number, string>
  /** Small uploads that were begun and not given up yet. */
  readonly uploads: Set<string>
}

/**
 * Kills a server under load `kills` times by SIGKILL, each third time with its database, and after
 * each fifth round again during its start. After each start everything acknowledged must be there;
 * at the end one upload that lived through all of it is completed and its stored bytes compared.
 */
export async function runKills({
  kills,
  seed,
  onRound = () => undefined,
}: {
  readonly kills: number
  readonly seed: number
  readonly onRound?: (round: number, startSeconds: number) => void
}): Promise<KillReport> {
  const chance = createChance(seed)
  const server = await startE2eServer({ ONECUT_PART_SIZE_BYTES: String(PART_BYTES) })
  try {
    const { client } = await signUpAt(server)
    const bytes = chance.bytes((kills + 1) * PART_BYTES + chance.between(1, 9_999))
    const upload = await beginUpload(client, bytes.length)
    const known: Acknowledged = { parts: new Map(), uploads: new Set() }
    const startSeconds: number[] = []
    const count = { kills: 0, starts: 0, databases: 0, uploads: 0 }
    for (let round = 1; count.kills < kills; round += 1) {
      const load = await startLoad(client, upload._id, bytes, known)
      await load.underWay
      await chance.moment(LOAD_MS)
      const withDatabase = round % 3 === 0
      await kill(server, withDatabase)
      count.kills += 1
      count.databases += withDatabase ? 1 : 0
      await load.end()
      if (round % 5 === 0 && count.kills < kills) {
        await killTheStart(server, chance)
        count.kills += 1
        count.starts += 1
      }
      const from = performance.now()
      await server.start()
      startSeconds.push((performance.now() - from) / 1000)
      count.uploads += known.uploads.size
      await refuseLoss(client, upload._id, known)
      onRound(count.kills, startSeconds.at(-1) ?? 0)
    }
    await completeAndCompare(server, client, upload._id, bytes, known)
    return {
      kills: count.kills,
      killsOfStarts: count.starts,
      killsOfDatabases: count.databases,
      startSeconds,
      acknowledged: { parts: known.parts.size, uploads: count.uploads },
    }
  } finally {
    await server.dispose()
  }
}

async function kill(server: E2eServer, withDatabase: boolean): Promise<void> {
  const database = withDatabase ? killDatabase(server) : Promise.resolve()
  await Promise.all([database, server.kill()])
}

async function killTheStart(server: E2eServer, chance: Chance): Promise<void> {
  const starting = server.start().catch(() => undefined)
  await chance.moment(START_MS)
  await server.kill()
  await starting
}

/** Sends parts of one upload and begins and gives up others, until the server dies. */
async function startLoad(
  client: TestClient,
  uploadId: string,
  bytes: Uint8Array,
  known: Acknowledged,
) {
  const waiting = await missingParts(client, uploadId)
  const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>()
  // Every call ends in an answer or in the end of the server; the latter ends the slot.
  const slot = async (work: () => Promise<boolean>): Promise<void> => {
    while (await work().catch(() => false));
  }
  const slots = Array.from({ length: SLOTS }, () =>
    slot(async () => {
      const part = waiting.shift()
      if (part === undefined) return false
      known.parts.set(part.partNumber, await sendPart(client, part, bytes))
      return true
    }),
  )
  slots.push(
    slot(async () => {
      const begun = await beginUpload(client, 1_000)
      known.uploads.add(begun._id)
      isUnderWay()
      return known.uploads.size < SMALL_UPLOADS
    }),
  )
  return { underWay, end: async () => void (await Promise.all(slots)) }
}

type Part = UploadRequest['upload']['parts'][number]

/** The ETag of the answer; throws when there was none. */
async function sendPart(client: TestClient, part: Part, bytes: Uint8Array): Promise<string> {
  const from = (part.partNumber - 1) * PART_BYTES
  const answer = await fetch(new URL(part.presignedUrl ?? '', client.origin), {
    method: 'PUT',
    body: bytes.slice(from, from + part.partSize),
  })
  if (answer.status !== 200) throw new Error(`A part answered ${answer.status}`)
  return answer.headers.get('etag')?.replaceAll('"', '') ?? ''
}

/** Parts that take bytes; the server leaves out some when there are many. */
async function missingParts(client: TestClient, uploadId: string): Promise<Part[]> {
  const { upload } = await fetchUpload(client, uploadId)
  return upload.parts.filter(({ presignedUrl }) => presignedUrl !== null)
}

async function fetchUpload(client: TestClient, id: string): Promise<UploadRequest> {
  const answer = await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)
  if (answer.status !== 200) throw new Error(`The upload ${id} answered ${answer.status}`)
  return answer.body.uploadRequest
}

/** Throws when a part or an upload that was acknowledged is not there; gives up the small ones. */
async function refuseLoss(
  client: TestClient,
  uploadId: string,
  known: Acknowledged,
): Promise<void> {
  const { upload } = await fetchUpload(client, uploadId)
  for (const [partNumber, eTag] of known.parts) {
    const stored = upload.parts.find((part) => part.partNumber === partNumber)
    if (stored?.eTag !== eTag) throw new Error(`Part ${partNumber} was acknowledged and is lost`)
  }
  for (const id of known.uploads) {
    await fetchUpload(client, id)
    await client.delete(`/v1/upload-requests/${id}`)
  }
  known.uploads.clear()
}

async function completeAndCompare(
  server: E2eServer,
  client: TestClient,
  uploadId: string,
  bytes: Uint8Array,
  known: Acknowledged,
): Promise<void> {
  for (let missing = await missingParts(client, uploadId); missing.length > 0;) {
    for (const part of missing)
      known.parts.set(part.partNumber, await sendPart(client, part, bytes))
    missing = await missingParts(client, uploadId)
  }
  await refuseLoss(client, uploadId, known)
  // As the server lists them: a kill may come between a part and its answer.
  const { upload } = await fetchUpload(client, uploadId)
  const parts = upload.parts.map(({ partNumber, eTag }) => ({ partNumber, eTag }))
  const path = `/v1/upload-requests/${uploadId}`
  const done = await client.patch(path, { uploadRequest: { upload: { parts } } })
  if (done.status !== 200)
    throw new Error(`Completing answered ${done.status}: ${JSON.stringify(done.body)}`)
  const hash = createHash('sha256')
  const stored = createReadStream(join(server.dataDir, 'store/objects/uploads', uploadId))
  for await (const chunk of stored) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== createHash('sha256').update(bytes).digest('hex'))
    throw new Error('The stored file is not the one that was sent')
}
