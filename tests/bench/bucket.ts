/**
 * `npm run bench -- bucket [parts]`: what the server's process does for a video whose parts go to a
 * bucket: its processor time for each hundred addresses of so many parts (1,500), asked for by ten
 * and by twenty as the app does, and the bytes that it reads while twenty parts are sent. Needs
 * Linux, and Ceph (ONECUT_CEPH_DIR, tests/README.md). Ends with 1 when a goal is missed.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'
import { bucketSettings } from '#tests/setup/bucket-settings.ts'

const PARTS = Number(process.argv[2] ?? 1500)
const PART_BYTES = 5 * 1024 ** 2
const SENT_PARTS = 20
/** Milliseconds for a hundred parts, and a share of what is sent. */
const GOALS = { processorMs: 20, read: 0.01 }
const TICKS_PER_S = 100
const QUIET_MS = 10_000

if (CEPH_TREE === null) throw new Error('Set ONECUT_CEPH_DIR: tests/README.md says how')
const ceph = await startCeph(CEPH_TREE)
const server = await startE2eServer({
  ...bucketSettings(ceph.place),
  ONECUT_PART_SIZE_BYTES: String(PART_BYTES),
})
try {
  const { client } = await signUpAt(server)
  // What is compiled at the first calls is no part of a figure.
  await askFor(client, 500, 20)
  const idle = await costOf(async () => await setTimeout(QUIET_MS))
  for (const batch of [10, 20]) {
    const { processorMs, wallMs } = await costOf(async () => await askFor(client, PARTS, batch))
    // The queue and the worker of the same process go on meanwhile.
    const ofRest = (idle.processorMs * wallMs) / idle.wallMs
    const each = (processorMs - ofRest) / (PARTS / 100)
    tell(`processor ms of 100 addresses, asked for by ${batch}`, each, GOALS.processorMs)
  }
  const bytes = randomBytes(SENT_PARTS * PART_BYTES)
  const upload = await beginUpload(client, bytes.length)
  const before = await readBytes()
  await sendParts(client, upload, bytes)
  tell('bytes read by those sent', ((await readBytes()) - before) / bytes.length, GOALS.read)
} finally {
  await server.dispose()
  await ceph.stop()
}

function tell(what: string, figure: number, goal: number): void {
  const isMet = figure <= goal
  if (!isMet) process.exitCode = 1
  const load = loadavg()[0]?.toFixed(0)
  console.log(`${what}: ${figure.toFixed(4)} (goal ${goal}, load ${load})${isMet ? '' : ' MISSED'}`)
}

/** Asks for the addresses of a new upload's parts, so many at a time. */
async function askFor(client: TestClient, parts: number, batch: number): Promise<void> {
  const { _id } = await beginUpload(client, parts * PART_BYTES)
  for (let from = 0; from < parts; from += batch) {
    const partNumbers = Array.from({ length: batch }, (_, index) => from + index + 1)
    const checksums = partNumbers.map((partNumber) => ({
      partNumber,
      checksumSha256: randomBytes(32).toString('base64'),
    }))
    const body = { partNumbers, checksums }
    const answer = await client.post(`/v1/upload-requests/${_id}/part-urls`, body)
    if (answer.status !== 200) throw new Error(`Asking for addresses answered ${answer.status}`)
  }
}

async function costOf(work: () => Promise<unknown>) {
  const [from, fromMs] = [performance.now(), await processorMs()]
  await work()
  return { processorMs: (await processorMs()) - fromMs, wallMs: performance.now() - from }
}

/** Of the server's process alone: the database and tools are others. */
async function processorMs(): Promise<number> {
  const text = await readFile(`/proc/${server.pid()}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1000
}

/** From files and connections alike. */
async function readBytes(): Promise<number> {
  const text = await readFile(`/proc/${server.pid()}/io`, 'latin1')
  return Number(/^rchar: (\d+)$/m.exec(text)?.[1])
}
